"use strict";
// A table in the browser: a unit is picked, its choices are marked, a target is clicked, the order joins the list.
(async () => {
  const MAIL_MOST = 2 * 1024 * 1024; // bytes of a mail
  const LONG = 60; // so many choices are listed at once
  let view = null; // the answer of /view
  let mark = null; // which text of the draft this page knows
  let text = ""; // the orders as they are written
  let judged = null; // what /orders says of that text
  let checked = null; // what /check says of it
  let picked = null; // {unit} or {place}
  let offered = null; // the answer of /choices for it
  let groups = new Map(); // point -> choices with their target there
  let own = null; // a way of one's own: {stems, places, answer}
  let lastWay = null; // the number of the item whose way is drawn
  const past = []; // texts before the last changes
  let asking = 0; // the newest question about the text
  let edits = Promise.resolve();
  let forms = null;
  let aborted = null; // ends the slow check

  // --- questions ------------------------------------------------------------------------------------------------

  // Ask about this game as it was drawn. Gives null where what came back is dealt with: the game or its draft have changed.
  async function asked(path, data = {}, signal = undefined) {
    const carried = "text" in data ? { mark } : {};
    try {
      const found = await ask(`/api/${GAME}/${path}`, { head: view.head, ...carried, ...data }, signal);
      if (found.mark) mark = found.mark;
      return found;
    } catch (error) {
      if (error.name === "AbortError") return null;
      if (error instanceof Answered && error.data.moved) await load(true);
      else if (error instanceof Answered && error.data.changed) await changed(error.data);
      else if (error instanceof Answered) say(error.message);
      else say(word("gone"));
      return null;
    }
  }

  async function changed(found) {
    const which = await askedIn(word("changed_title"), [...paragraphs([word("changed")]), made("pre", { text: found.draft })], [
      ["theirs", word("changed_theirs")],
      ["mine", word("changed_mine")],
    ]);
    mark = found.mark;
    if (which !== "mine") remember();
    written(which === "mine" ? text : found.draft);
    await judge();
  }

  // --- the view -------------------------------------------------------------------------------------------------

  async function load(moved) {
    const before = view;
    const found = await ask(`/api/${GAME}/view`, {});
    const kept = before && found.seq === before.seq;
    view = found;
    mark = found.mark ?? null;
    if (!kept) past.length = 0;
    written(kept ? text : found.draft);
    drawn();
    board.begin(view);
    put();
    if (!before) board.lookAt(middle());
    await judge();
    if (moved) say(word(kept ? "moved_kept" : before && text ? "moved_dropped" : "moved"));
    shapes();
  }

  // My unit that stands in the middle of all of mine: there one looks first.
  function middle() {
    const mine = view.units.filter((unit) => unit.mine && unit.map === view.maps[0]?.name && unit.x !== null);
    const all = mine.length ? mine : view.units.filter((unit) => unit.map === view.maps[0]?.name && unit.x !== null);
    const x = all.reduce((sum, unit) => sum + unit.x, 0) / all.length;
    const y = all.reduce((sum, unit) => sum + unit.y, 0) / all.length;
    return all.sort((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y))[0] || { map: "", x: null };
  }

  function drawn() {
    const { game, due } = view;
    document.title = `${game.name}: ${view.title}`;
    the("game").textContent = game.title;
    const roles = { me: game.me, side: game.side_title, opponent: game.opponent };
    the("players").textContent = word(game.solo ? "alone" : game.bot ? "bot" : "against", roles);
    the("title").textContent = view.title;
    the("due").textContent = view.outcome || due.told;
    the("waits").replaceChildren(...view.waits.map((line) => made("li", { text: line })));
    proposed();
    for (const id of ["send", "send-open"]) the(id).disabled = !due.mine;
    the("send").textContent = word(view.bare ? "send_bare" : "send");
    the("send-open").hidden = !view.closing || view.bare;
    the("beside").hidden = game.over;
    the("which").replaceChildren(...view.maps.map((map, at) => option(at, map.title)));
    the("which").hidden = view.maps.length < 2;
    the("by-hand").parentNode.hidden = Boolean(view.table) || !view.maps.length;
    the("report-text").replaceChildren(made("pre", { text: view.report }));
    the("report-frame").replaceChildren();
    the("replay").open = false;
    the("replay").querySelector("div").replaceChildren();
    const units = view.units.map((unit) => made("option", { value: unit.id, label: unit.name === unit.id ? unit.id : `${unit.name} (${unit.id})` }));
    const places = Object.entries(view.places).map(([label, place]) => made("option", { value: label, label: place.name ? `${place.name} (${label})` : label }));
    the("names").replaceChildren(...units, ...places);
    const mine = view.units.filter((unit) => unit.mine);
    the("roster").hidden = !mine.length;
    the("roster").querySelector("ul").replaceChildren(...mine.map((unit) =>
      made("li", {}, button(unit.told, () => pick({ unit: unit.id }, true), { "data-unit": unit.id }))));
  }

  function proposed() {
    const proposal = view.proposal;
    the("proposal").hidden = !proposal;
    if (!proposal) return;
    const answer = (what) => () => sent(asked("answer", { do: what, note: the("note").value }));
    the("proposal").replaceChildren(made("span", { text: proposal.told }),
      ...(proposal.mine ? [] : [button(word("proposal_yes"), answer("accept")), button(word("proposal_no"), answer("refuse"))]));
  }

  async function shapes() {
    const found = await asked("shapes");
    the("forms").hidden = !found;
    if (!found) return;
    the("usages").replaceChildren(...found.orders.map((usage) => made("option", { value: usage })));
    forms = formsIn(the("forms").querySelector("div"), found, {
      orders: () => (judged ? judged.items : []).filter((item) => item.kind === "order").map((item) => item.text),
      put: (words, replaced) => {
        if (replaced) edit("replace", { number: replaced, words });
        else composed(words);
      },
    });
    forms.listed();
  }

  // --- the text and its judgement -------------------------------------------------------------------------------

  // Show another text without judging it.
  function written(next) {
    text = next;
    if (the("text").value !== next) the("text").value = next;
  }

  function remember() {
    if (past[past.length - 1] !== text) past.push(text);
  }

  async function judge() {
    const turn = ++asking;
    judging.never();
    const found = await asked("orders", { text });
    if (found && turn === asking) apply(found);
  }

  const judging = later(250, judge);

  function apply(found) {
    judged = { ...found, text };
    checked = null;
    aborted?.abort();
    board.show(found.maps || {}, found.pieces || {});
    const moved = new Map((found.units || []).map((unit) => [unit.id, unit]));
    view.units = view.units.map((unit) => ({ ...unit, ...(moved.get(unit.id) || unit.was || {}), was: unit.was || { at: unit.at, map: unit.map, x: unit.x, y: unit.y } }));
    listed();
    forms?.listed();
    const now = found.asked || null;
    const first = view.asked && now && now.prompt === view.asked.prompt;
    told(the("asked"), now && !first ? word("now_asked", now) + (now.clause ? ` [${now.clause}]` : "") : "");
    told(the("comes"), [found.comes].flat().filter(Boolean).join(" "));
    the("warnings").replaceChildren();
    if (found.items.length && view.due.mine) checking();
    else checking.never();
    if (picked) renew();
  }

  function listed() {
    list.show(judged.items, checked);
    the("empty").hidden = judged.items.length > 0;
    the("errors").replaceChildren(...paragraphs([...judged.errors, ...((checked && checked.errors) || [])].map(wrongWords)));
    waysDrawn();
  }

  // Let the orders be tried a hundred times, which takes seconds; gives nothing where the text has changed meanwhile.
  async function check() {
    checking.never();
    aborted?.abort();
    aborted = new AbortController();
    const turn = asking;
    the("warnings").replaceChildren(made("p", { cls: "about", text: word("judging") }));
    const found = await asked("check", { text }, aborted.signal);
    if (turn !== asking || (found && found.older)) return;
    checked = found;
    listed();
    the("warnings").replaceChildren(...(found ? warned() : []));
  }

  const checking = later(700, check);

  function warned() {
    const lines = [
      ...checked.endings.map((one) => made("p", { cls: "ending", text: `\u2691 ${one.told || one}` })),
      ...[...checked.doubts, ...checked.remarks].map((one) => made("p", { text: `? ${one.told || one}` })),
    ];
    const fine = !lines.length && !checked.errors.length && judged.items.every((item) => item.state !== "wrong")
      && Object.values(checked.items).every((item) => !(item.lapses || []).length);
    return fine ? [made("p", { cls: "fine", text: `\u2713 ${word("checked")}` })] : lines;
  }

  // Change the list by the program's own hand, one change after another.
  function edit(what, data) {
    const next = edits.then(async () => {
      const found = await asked("edit", { text, do: what, number: null, to: null, words: "", ...data });
      if (!found) return null;
      remember();
      asking += 1;
      judging.never();
      written(found.text);
      apply(found.judged);
      return found;
    });
    edits = next.catch(() => null);
    return next;
  }

  async function add(words, typed) {
    const found = await edit("add", { words: typed || words });
    if (!found) return null;
    const item = judged.items.find((one) => one.number === found.number);
    lastWay = found.number;
    waysDrawn();
    say(item && item.state === "wrong" ? wrongWords({ ...item, what: item.why, where: item.text }) : word("added", { words: item ? item.words || item.text : words }));
    return found;
  }

  const list = listIn(the("list"), {
    move: async (number, to) => {
      const moved = judged.items.find((item) => item.number === number);
      const found = await edit("move", { number, to });
      if (found && moved) say(word("moved_to", { words: moved.text, number: found.number, of: judged.items.length }));
    },
    remove: async (number) => {
      const gone = judged.items.find((item) => item.number === number);
      if ((await edit("remove", { number })) && gone) say(word("removed", { words: gone.text }));
    },
    replace: (number, words) => edit("replace", { number, words }),
    condition: (number) => {
      the("forms").open = true;
      forms?.condition(number, judged.items.find((item) => item.number === number).text);
    },
    looked: (number) => {
      if (lastWay === number) return;
      lastWay = number;
      waysDrawn();
    },
  });

  function waysDrawn() {
    const ways = [];
    const item = judged && judged.items.find((one) => one.number === lastWay);
    if (item && (item.way || []).length) ways.push({ points: item.way, number: item.number, bad: item.state === "wrong" });
    if (own && own.places.length) {
      const unit = view.units.find((one) => one.id === picked.unit);
      const there = own.places.map((label) => view.places[label]).map((one) => [one.map, one.x, one.y]);
      const from = unit && unit.map && unit.x !== null ? [[unit.map, unit.x, unit.y]] : [];
      ways.push({ points: [...from, ...there], bad: own.answer && !own.answer.good });
    }
    board.ways(ways);
  }

  function undo() {
    if (!past.length) return say(word("nothing_undone"));
    written(past.pop());
    say(word("undone"));
    return judge();
  }

  // --- a unit or a place, and what can be done with it ----------------------------------------------------------

  const unitOf = (id) => view.units.find((unit) => unit.id === id);

  async function pick(what, byKey) {
    own = null;
    ownShown();
    picked = what;
    const one = what.unit ? unitOf(what.unit) : view.places[what.place];
    if (one && byKey) board.lookAt(one);
    await renew(byKey);
    if (offered && picked === what) say([offered.told, offered.why || counted()].filter(Boolean).join(" "));
  }

  const counted = () => (offered.choices.length === 1 ? word("one_choice") : offered.choices.length ? word("choices", { count: offered.choices.length }) : word("no_choices"));

  // Ask anew what can be done with what is picked, behind the orders as they are now.
  async function renew(byKey) {
    const what = picked;
    const found = await asked("choices", { text, at: null, ...what });
    if (!found || picked !== what) return;
    offered = found;
    the("choosing-title").textContent = what.unit || (view.places[what.place]?.name ? `${view.places[what.place].name} (${what.place})` : what.place);
    the("told").textContent = found.told;
    told(the("unable"), found.why || (found.choices.length ? "" : word("no_choices")));
    grouped();
    marked();
    choicesShown(found.choices);
    entriesShown(found.entries || []);
    if (byKey) (the("choices").querySelector("button") || the("command")).focus();
  }

  const keyOf = (choice) => (choice.map && choice.x !== null && choice.x !== undefined ? `${choice.map} ${Math.round(choice.x)} ${Math.round(choice.y)}` : "");

  function grouped() {
    groups = new Map();
    for (const choice of offered.choices) {
      const key = keyOf(choice);
      if (!key) continue;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(choice);
    }
  }

  // What a mark says in few letters: the share of a fight, the cost of a way, and that there is more than one choice.
  function signOf(choices) {
    const fight = choices.find((one) => one.dice || one.odds);
    const one = fight || choices[0];
    const short = fight
      ? (String(fight.odds).match(/\d+(\.\d+)? ?%|\d+ ?(:|to) ?\d+/) || ["\u2694"])[0].replace(" to ", ":").replace(" ", "")
      : String(one.cost ?? "").match(/\d+([.\u00bd/]\d*)?/)?.[0] || "\u2022";
    return `${short}${choices.length > 1 ? "+" : ""}`;
  }

  function marked() {
    const one = picked && (picked.unit ? unitOf(picked.unit) : view.places[picked.place]);
    board.mark([...groups].map(([key, choices]) => ({
      target: key,
      map: choices[0].map,
      x: choices[0].x,
      y: choices[0].y,
      sign: signOf(choices),
      fight: choices.some((choice) => choice.dice || choice.odds),
      told: choices.map((choice) => choice.told).join("\n"),
      named: choices[0].target,
    })), one && one.map ? [one] : []);
  }

  function choiceButton(choice) {
    const extra = [choice.cost, choice.odds].filter((part) => part !== null && part !== undefined && part !== "").join("; ");
    const node = button("", (event) => take(choice, event.detail === 0), { "data-target": choice.target || "", "data-typed": choice.typed });
    node.append(made("code", { text: choice.typed || choice.words }), extra ? ` ${extra}` : "", choice.told ? made("small", { text: choice.told }) : "");
    const look = () => { board.lit(keyOf(choice)); weigh(choice.words || choice.typed); };
    node.addEventListener("focus", look);
    node.addEventListener("pointerenter", look);
    return node;
  }

  // The choices as a list, or those of one target; `extra` are buttons in front of them.
  function choicesShown(choices, title = "", extra = []) {
    const all = choices.map(choiceButton);
    const shown = all.slice(0, LONG);
    const more = all.length > LONG ? [button(word("more", { count: all.length }), () => fill(all))] : [];
    const head = title ? [made("h3", { text: title })] : [];
    const fill = (nodes) => the("choices").replaceChildren(...head, ...extra, ...nodes);
    fill([...shown, ...more]);
  }

  function entriesShown(entries) {
    the("entries").hidden = !entries.length;
    the("entries").querySelector("div").replaceChildren(...entries.flatMap((entry) => [
      made("h3", { text: entry.heading }),
      ...entry.orders.map((order) => button("", () => composed(order.typed, true), {})).map((node, at) => {
        node.append(made("code", { text: entry.orders[at].typed }), entry.orders[at].note ? made("small", { text: entry.orders[at].note }) : "");
        return node;
      }),
      ...(entry.notes || []).map((note) => made("p", { text: note })),
    ]));
  }

  async function take(choice, byKey) {
    const found = await add(choice.words, choice.typed);
    if (found) put(byKey);
  }

  // Put down what is picked.
  function put(byKey) {
    picked = null;
    offered = null;
    own = null;
    groups = new Map();
    ownShown();
    weigh.never();
    the("choosing-title").textContent = word("unit_or_place");
    the("told").textContent = "";
    told(the("unable"), "");
    the("choices").replaceChildren();
    entriesShown([]);
    the("odds").hidden = true;
    board.mark([]);
    if (judged) waysDrawn();
    if (byKey) the("command").focus();
  }

  // What an order would bring, with every modifier.
  const weigh = later(120, async (words) => {
    const found = await asked("odds", { text, at: null, words });
    if (!found || !offered) return;
    the("odds").hidden = false;
    the("odds").replaceChildren(...judgement(found));
  });

  function judgement(found) {
    if (!found.good) return [made("p", { cls: "wrong", text: `\u2717 ${wrongWords({ what: found.why, clause: found.clause, right: found.right })}` })];
    const rows = (found.factors || []).map((one) => made("tr", {}, made("td", { text: one.what }), made("td", { text: one.value }), made("td", { text: one.clause || "" })));
    const odds = [found.odds].flat().filter(Boolean).map((line) => line.told || line);
    return [
      made("p", { text: `\u2713 ${found.told || found.words}` }),
      ...paragraphs(odds.filter((line) => line !== found.told)),
      ...(found.ends ? [made("p", { cls: "wrong", text: `\u2691 ${word("ends")}` })] : []),
      ...(rows.length ? [made("table", {}, made("tbody", {}, ...rows))] : []),
    ];
  }

  // --- clicks ---------------------------------------------------------------------------------------------------

  function clicked(spot, event) {
    if (event.shiftKey || (the("by-hand").checked && picked?.unit && unitOf(picked.unit).mine && !(spot.units.includes(picked.unit)))) {
      if (spot.label) return step(spot.label);
    }
    const found = spot.target ? groups.get(spot.target) || [] : [];
    const others = spot.units.filter((id) => id !== picked?.unit);
    const mine = others.filter((id) => unitOf(id).mine);
    if (found.length === 1 && !mine.length) return take(found[0]);
    if (found.length) return choicesShown(found, word("which"), [...others.map(unitButton), button(word("back"), () => choicesShown(offered.choices))]);
    if (spot.units.length === 1) return pick({ unit: spot.units[0] });
    if (spot.units.length) return stack(spot);
    if (spot.label) return pick({ place: spot.label });
    return spot.inches ? inches(spot.inches) : null;
  }

  const unitButton = (id) => button(unitOf(id).told, (event) => pick({ unit: id }, event.detail === 0), { "data-unit": id });

  function stack(spot) {
    put();
    const place = view.places[spot.label];
    the("told").textContent = word("here", { told: place ? place.told : spot.label, count: spot.units.length });
    choicesShown([], "", [...spot.units.map(unitButton), button(word("who"), () => pick({ place: spot.label }))]);
    say(the("told").textContent);
  }

  // A point of a table: its two numbers, and in the line behind what is written there or what the unit's orders begin with.
  function inches([x, y]) {
    the("where").textContent = word("coordinates", { x, y });
    say(the("where").textContent);
    const begun = the("typed").value.trim();
    const numbers = /( -?\d+(\.\d+)?){2}( [a-z-]+)?$/;
    const stem = begun || (offered && offered.choices.map((one) => one.words).find((words) => numbers.test(words.replace(/;$/, "")))) || "";
    if (stem) composed(`${stem.replace(/;$/, "").replace(numbers, "")} ${x} ${y}`, true);
  }

  let pointedAt = "";
  function pointed(spot) {
    const key = spot.target || "";
    the("where").textContent = spot.inches ? word("coordinates", { x: spot.inches[0], y: spot.inches[1] }) : spot.label && (view.places[spot.label].name ? `${view.places[spot.label].name} (${spot.label})` : spot.label);
    if (key === pointedAt) return;
    pointedAt = key;
    board.lit(key);
    if (groups.has(key)) weigh(groups.get(key)[0].words);
  }

  const board = boardIn(the("maps"), {
    clicked,
    pointed,
    seen: (at) => { the("which").value = String(at); },
  });

  // --- a way of one's own ---------------------------------------------------------------------------------------

  // How orders of the unit that name hexes one by one begin, those with the longest ways first.
  function stems() {
    const found = new Map();
    for (const choice of offered ? offered.choices : []) {
      const words = choice.words.replace(/;$/, "").split(" ");
      let end = words.length;
      while (end > 0 && words[end - 1] in view.places) end -= 1;
      const stem = words.slice(0, end).join(" ");
      if (end < words.length && end > 1) found.set(stem, Math.max(found.get(stem) || 0, words.length - end));
    }
    return [...found].sort((a, b) => b[1] - a[1]).map(([stem]) => stem);
  }

  async function step(label) {
    if (!picked?.unit || !unitOf(picked.unit).mine) return say(word("way_first"));
    if (!own) {
      const found = stems();
      if (!found.length) return say(word("way_none", { unit: picked.unit }));
      own = { stems: found, places: [], answer: null };
    }
    own.places.push(label);
    return ownJudged();
  }

  // Judge the way as far as it has grown; by the first word for it that makes it legal, else by the first.
  async function ownJudged() {
    const way = own;
    if (!way.places.length) return dropOwn();
    const size = way.places.length;
    let first = null;
    waysDrawn();
    for (const stem of way.stems) {
      const words = `${stem} ${way.places.join(" ")}`;
      const found = await asked("odds", { text, at: null, words });
      if (!found || own !== way || way.places.length !== size) return null;
      first = first || { ...found, words: found.words || words, typed: words };
      if (found.good) {
        first = { ...found, words: found.words || words, typed: words };
        break;
      }
    }
    way.answer = first;
    waysDrawn();
    return ownShown();
  }

  function ownShown() {
    the("own").hidden = !own;
    if (!own || !own.answer) return;
    const { answer, places } = own;
    const state = answer.good ? answer.told || word("way_good") : word("way_bad", { why: wrongWords({ what: answer.why, clause: answer.clause, right: answer.right }) });
    the("own-told").textContent = `${word("way_begun", { unit: picked.unit, places: places.join(" ") })}: ${answer.good ? "\u2713" : "\u2717"} ${state}`;
    the("own-take").disabled = !answer.good;
    say(the("own-told").textContent);
  }

  async function takeOwn() {
    if (!own?.answer?.good) return;
    if (await add(own.answer.words, own.answer.typed)) put(true);
  }

  function stepBack() {
    own.places.pop();
    return ownJudged();
  }

  function dropOwn() {
    own = null;
    ownShown();
    waysDrawn();
  }

  // --- by name, and in words ------------------------------------------------------------------------------------

  function named() {
    const name = the("command").value.trim().replace(/\s+/g, " ");
    if (!name) return null;
    const low = name.toLowerCase();
    const all = [
      ...view.units.flatMap((unit) => [[unit.id, { unit: unit.id }], [unit.name, { unit: unit.id }]]),
      ...Object.entries(view.places).flatMap(([label, place]) => [[label, { place: label }], ...(place.name ? [[place.name, { place: label }]] : [])]),
    ];
    const fits = (test) => [...new Map(all.filter(([one]) => test(one.toLowerCase())).map(([, what]) => [JSON.stringify(what), what])).values()];
    for (const test of [(one) => one === low, (one) => one.startsWith(low), (one) => one.includes(low)]) {
      const found = fits(test);
      if (found.length === 1) {
        the("command").value = "";
        return pick(found[0], true);
      }
      if (found.length > 1) return say(word("several", { name, count: found.length }));
    }
    return say(word("unknown_name", { name }));
  }

  // Words in the line for an order, to be looked at before they are added.
  function composed(words, focus) {
    the("typed").value = words;
    typedJudged();
    if (focus) the("typed").focus();
    else the("typed-add").focus();
  }

  const typedJudged = later(200, async () => {
    const words = the("typed").value.trim();
    if (!words) return told(the("typed-told"), "");
    const found = await asked("odds", { text, at: null, words });
    if (!found || the("typed").value.trim() !== words) return null;
    the("typed-told").className = found.good ? "" : "wrong";
    return told(the("typed-told"), found.good ? `\u2713 ${found.told || found.words}` : `\u2717 ${wrongWords({ what: found.why, clause: found.clause, right: found.right })}`);
  });

  async function addTyped() {
    const words = the("typed").value.trim();
    if (!words || !(await add(words))) return;
    the("typed").value = "";
    typedJudged.never();
    told(the("typed-told"), "");
  }

  // --- sending --------------------------------------------------------------------------------------------------

  async function closed() {
    if (judged.closed || view.bare) return true;
    const found = await asked("choices", { text, at: null });
    if (!found) return false;
    const closing = found.choices.filter((one) => one.keyword === view.closing || one.keyword === "close");
    const best = closing.filter((one) => one.keyword === view.closing);
    const which = best.length === 1 ? best : closing;
    if (!which.length) return true;
    let at = 0;
    if (which.length > 1) {
      const answer = await askedIn(word("closing_title"), [], [...which.map((one, place) => [String(place), one.told || one.typed]), ["", word("send_no")]]);
      if (answer === "") return false;
      at = Number(answer);
    }
    return Boolean(await edit("add", { words: which[at].typed }));
  }

  async function finish(close) {
    await edits;
    if (judged.text !== text) await judge();
    if (close && !(await closed())) return;
    if (judged.items.length && !checked) await check();
    const endings = ((checked && checked.endings) || []).map((one) => one.told || one);
    if (endings.length) {
      const answer = await askedIn(word("ends_title"), paragraphs([...endings, word("ends_ask")]), [["", word("send_no")], ["yes", word("send_yes")]]);
      if (answer !== "yes") return;
    }
    const given = { text, note: the("note").value };
    say(word("sending"));
    let found = await asked("send", { ...given, yes: false });
    if (found && found.doubts) {
      const answer = await askedIn(word("doubts_title"), paragraphs(found.said), [["", word("send_no")], ["yes", word("send_yes")]]);
      if (answer !== "yes") return say("");
      found = await asked("send", { ...given, yes: true });
    }
    await sent(found);
  }

  async function sent(answer) {
    const found = await answer;
    if (!found) return;
    if (found.done) {
      the("note").value = "";
      await load(false);
    }
    await askedIn(word(found.done ? "sent_title" : "wrong_title"), [...paragraphs(found.said), ...mailShown(found.mail)], [["", word("close")]]);
    say(found.said[found.said.length - 1] || "");
    games();
  }

  function mailShown(mail) {
    if (!mail) return [];
    const copied = made("span", { role: "status" });
    const whole = made("pre", { tabindex: 0, text: mail.text || "" });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(mail.text);
        copied.textContent = word("copied");
      } catch {
        copied.textContent = word("copy_failed");
        whole.closest("details").open = true;
      }
    };
    const link = String(mail.mailto || "").startsWith("mailto:") ? [made("a", { href: mail.mailto, text: word("mailto") })] : [];
    return [
      ...(mail.path ? [made("p", { text: word("mail_at", mail) })] : []),
      ...(mail.to ? [made("p", { text: word("mail_to", mail) })] : []),
      ...(mail.text ? [made("div", { cls: "row" }, button(word("copy"), copy), ...link, copied), made("details", {}, made("summary", { text: word("mail_text") }), whole)] : []),
    ];
  }

  // --- mails that came, and the games ---------------------------------------------------------------------------

  async function openMail(mail) {
    if (!mail.trim()) return say(word("no_mail"));
    if (new Blob([mail]).size > MAIL_MOST) return say(word("too_large"));
    say(word("opening"));
    let found;
    try {
      found = await ask("/api/open", { mail });
    } catch (error) {
      found = { done: false, said: [error instanceof Answered ? error.message : word("gone")], game: null };
    }
    the("mail").close();
    the("mail-text").value = "";
    the("mail-file").value = "";
    const here = found.game === GAME && GAME;
    if (found.done && here) await load(false);
    const go = found.game && !here ? [["go", word("go_there")]] : [];
    const answer = await askedIn(word("opened_title"), paragraphs(found.said), [...go, ["", word("close")]]);
    say(found.said[found.said.length - 1] || "");
    if (answer === "go") location.assign(`/game/${encodeURIComponent(found.game)}`);
    else games();
    return null;
  }

  // The text of a file as a mail has it: UTF-8, else each byte a letter.
  async function textOf(file) {
    if (file.size > MAIL_MOST) {
      say(word("too_large"));
      return "";
    }
    const bytes = await file.arrayBuffer();
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return new TextDecoder("latin1").decode(bytes);
    }
  }

  function stateOf(game) {
    if (game.wrong) return word("wrong_game");
    return word(game.offer ? "offered" : game.over ? "over" : game.mine ? "mine" : "theirs");
  }

  async function games() {
    const found = await ask("/api/games", {}).catch(() => ({ games: [] }));
    const playable = found.games.filter((game) => !game.offer && !game.wrong);
    const line = (game) => [game.name || game.title, game.opponent, stateOf(game)].filter(Boolean).join("; ");
    the("games").replaceChildren(...(GAME ? [] : [option("", word("choose"))]), ...playable.map((game) => option(game.id, line(game))));
    the("games").value = GAME;
    if (GAME) return;
    the("all-games").hidden = false;
    the("all-games").replaceChildren(...found.games.map((game) => made("li", {},
      game.offer || game.wrong ? made("span", { text: `${line(game)} ${game.wrong || ""}` }) : made("a", { href: `/game/${encodeURIComponent(game.id)}`, text: line(game) }),
      made("small", { text: [game.title, game.due].filter(Boolean).join("; ") }))));
    told(the("wait"), word(found.games.length ? "choose" : "no_games"));
  }

  // --- what the page listens to ---------------------------------------------------------------------------------

  const acts = {
    "command-go": named,
    "typed-add": addTyped,
    undo,
    clear: () => { remember(); written(""); judge(); },
    send: () => finish(true),
    "send-open": () => finish(false),
    "own-take": takeOwn,
    "own-back": stepBack,
    "own-drop": dropOwn,
    smaller: () => board.zoomed(1 / 1.25),
    larger: () => board.zoomed(1.25),
    fit: () => board.zoomed(0),
    "mail-open": () => the("mail").showModal(),
    "mail-close": () => the("mail").close(),
    "mail-go": async () => openMail(the("mail-text").value || (the("mail-file").files[0] ? await textOf(the("mail-file").files[0]) : "")),
    "keys-open": () => the("keys").showModal(),
    "keys-close": () => the("keys").close(),
    stop: async () => {
      await ask("/api/stop", {}).catch(() => null);
      document.body.replaceChildren(made("main", {}, made("p", { text: word("stopped") })));
    },
    "report-page": () => {
      the("report-frame").replaceChildren(made("iframe", { src: `/game/${GAME}/report`, sandbox: "", title: word("report") }));
    },
  };
  for (const [id, act] of Object.entries(acts)) the(id).addEventListener("click", act);

  const entered = (id, act) => the(id).addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    act();
  });
  entered("command", named);
  entered("typed", addTyped);
  the("typed").addEventListener("input", () => typedJudged());
  the("text").addEventListener("input", () => {
    remember();
    asking += 1;
    text = the("text").value;
    judging();
  });
  the("games").addEventListener("change", () => {
    if (the("games").value) location.assign(`/game/${encodeURIComponent(the("games").value)}`);
  });
  the("which").addEventListener("change", () => board.see(Number(the("which").value)));
  the("choices").addEventListener("keydown", (event) => arrows(event, [...the("choices").querySelectorAll("button")]));
  the("maps").addEventListener("pointerleave", () => { pointedAt = ""; board.lit(""); });
  the("replay").addEventListener("toggle", () => {
    const room = the("replay").querySelector("div");
    if (the("replay").open && !room.firstChild) room.append(made("iframe", { src: `/game/${GAME}/replay`, sandbox: "allow-scripts", title: word("replay") }));
  });
  window.addEventListener("resize", () => board.sized());

  const KEYS = {
    "/": () => the("command").focus(), "?": () => the("keys").showModal(), l: () => list.focus(), m: () => the("maps").focus(),
    t: () => the("typed").focus(), "+": () => board.zoomed(1.25), "-": () => board.zoomed(1 / 1.25),
  };
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || !view) return;
    const typing = event.target.closest("input:not([type=checkbox]), textarea, select");
    if (event.key === "Escape") {
      if (own) dropOwn();
      else put();
      the("command").focus();
    } else if (own && event.key === "Enter" && !typing && !event.target.closest("button, a, summary, li")) {
      event.preventDefault();
      takeOwn();
    } else if (own && event.key === "Backspace" && !typing) {
      event.preventDefault();
      stepBack();
    } else if (!typing && !event.ctrlKey && !event.altKey && !event.metaKey && event.key in KEYS) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });

  const carries = (event) => [...(event.dataTransfer?.types || [])].some((type) => type === "Files" || type === "text/plain");
  document.addEventListener("dragover", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    the("dropping").hidden = false;
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) the("dropping").hidden = true; });
  document.addEventListener("drop", async (event) => {
    the("dropping").hidden = true;
    if (!carries(event)) return;
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    const mail = file ? await textOf(file) : event.dataTransfer.getData("text/plain");
    if (mail) openMail(mail);
  });

  // --- it begins ------------------------------------------------------------------------------------------------

  games();
  if (!GAME) return;
  try {
    the("stage").hidden = false;
    await load(false);
    the("wait").hidden = true;
  } catch (error) {
    the("stage").hidden = true;
    told(the("wait"), error instanceof Answered ? error.message : word("failed", { what: error.message }));
  }
})();
