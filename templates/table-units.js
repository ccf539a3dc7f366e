"use strict";
// A unit or a place is picked by a click or by its name: what can be done with it is marked and listed, and taken.

// `table` is what the parts of the page share.
function unitsOf(table) {
  const LONG = 60; // so many choices are listed at once
  const NOTHING = { told: "", choices: [], entries: [], why: "" }; // when no orders are asked of me
  const MOST_ASKED = 20; // so often what is counted slowly is asked for again
  let shownOf = ""; // the point whose choices alone are listed
  let shownBefore = []; // the buttons in front of them
  let groups = new Map(); // point -> choices with their target there
  let saidOf = ""; // the unit and the place of which the last refusal was

  // --- a unit or a place, and what can be done with it ----------------------------------------------------------

  const unitOf = (id) => table.view.units.find((unit) => unit.id === id);

  async function pick(what, byKey) {
    dropOwn();
    saidOf = "";
    table.picked = what;
    weigh.never();
    the("odds").hidden = true;
    const one = what.unit ? unitOf(what.unit) : table.view.places[what.place];
    if (one && byKey) table.board.lookAt(one);
    await renew(byKey);
    if (table.offered && table.picked === what) tell([toldOf(what), table.offered.told || counted()].filter(Boolean).join(_(". ")));
  }

  // What the report says of a unit or a place.
  const toldOf = (what) => (what.unit ? unitOf(what.unit)?.told : table.view.places[what.place]?.told) || "";

  const counted = () => (table.offered.choices.length === 1 ? _("1 choice") : table.offered.choices.length ? _("%(count)s choices", { count: table.offered.choices.length }) : _("Nothing can be done with it now."));

  // What is counted slowly comes later: ask again as long as some of it is still to come.
  const more = later(300, (what, times) => table.picked === what && renew(false, times));

  // Ask anew what can be done with what is picked, behind the orders as they are now.
  async function renew(byKey, times = 0) {
    const what = table.picked;
    const { text } = table;
    const found = table.open() ? await table.asked("choices", { text, at: null, ...what }) : NOTHING;
    if (!found || table.picked !== what || table.text !== text) return;
    table.offered = found;
    const missing = found.whole === false || found.choices.some((choice) => choice.odds === null);
    if (missing && times < MOST_ASKED) more(what, times + 1);
    if (times) return counts();
    the("choosing-title").textContent = what.unit || (table.view.places[what.place]?.name ? `${table.view.places[what.place].name} (${what.place})` : what.place);
    the("told").textContent = toldOf(what);
    the("offers").textContent = found.why ? "" : found.told;
    told(the("unable"), found.why || (found.choices.length || !table.open() ? "" : _("Nothing can be done with it now.")));
    grouped();
    marked();
    choicesShown(found.choices);
    entriesShown(found.entries || []);
    const [first] = groups.values();
    if (what.unit && !unitOf(what.unit)?.map && first) table.board.lookAt(spotOf(first[0]));
    if (byKey) (the("choices").querySelector("button") || the("command")).focus();
  }

  // Nothing is picked: what can be ordered that names no unit is listed and marked.
  async function side() {
    if (table.picked || !table.open()) return;
    const { text } = table;
    const found = await table.asked("choices", { text, at: null });
    if (!found || table.picked || table.text !== text || the("choices").dataset.stack) return;
    table.offered = found;
    grouped();
    marked();
    choicesShown(found.choices, found.choices.length ? _("Orders of the side") : "");
  }

  // The same choices again, with odds that were missing: what is shown stays, and so does the focus.
  function counts() {
    const focus = document.activeElement?.dataset?.typed;
    grouped();
    marked();
    if (shownOf) choicesShown(groups.get(shownOf) || [], _("Which order?"), shownBefore, shownOf);
    else choicesShown(table.offered.choices);
    entriesShown(table.offered.entries || []);
    if (focus) [...the("choices").querySelectorAll("button")].find((node) => node.dataset.typed === focus)?.focus();
  }

  // Where a choice leads: to its target, or to where its way ends.
  function spotOf(choice) {
    if (choice.map && choice.x !== null && choice.x !== undefined) return choice;
    const way = choice.way || [];
    if (way.length < 2) return { map: "", x: null, y: null };
    const [map, x, y] = way[way.length - 1];
    return { map, x, y };
  }

  const keyOf = (choice) => keyAt(spotOf(choice));
  const keyAt = (choice) => (choice.map && choice.x !== null && choice.x !== undefined ? `${choice.map} ${Math.round(choice.x)} ${Math.round(choice.y)}` : "");

  function grouped() {
    groups = new Map();
    for (const choice of table.offered.choices) {
      const key = keyOf(choice);
      if (!key || choice.never) continue;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(choice);
    }
  }

  // What a mark says in few letters: of a fight the first result and its share in two lines, of a way the chance to come
  // there, or its cost; and a plus where there is more than one choice.
  function signOf(choices) {
    const more = choices.length > 1 ? "+" : "";
    const counted = choices.find((one) => one.sign?.length);
    if (counted) return counted.sign.map((line, at) => (at === counted.sign.length - 1 ? line + more : line));
    const cost = choices.map((one) => String(one.cost || "").match(/\d+([.\u00bd/]\d*)?/)).find(Boolean);
    return [`${cost ? cost[0] : choices.some((one) => one.dice) ? "\u2694" : "\u2022"}${more}`];
  }

  function marked() {
    const one = table.picked && (table.picked.unit ? unitOf(table.picked.unit) : table.view.places[table.picked.place]);
    table.board.mark([...groups].map(([key, choices]) => ({
      target: key,
      map: spotOf(choices[0]).map,
      x: spotOf(choices[0]).x,
      y: spotOf(choices[0]).y,
      sign: signOf(choices),
      fight: choices.some((choice) => (choice.dice || choice.odds) && !choice.cost),
      told: choices.map((choice) => choice.told).join("\n"),
      named: choices[0].target,
    })), one && one.map ? [one] : []);
  }

  function choiceButton(choice) {
    const extra = [choice.cost, choice.odds].filter((part) => part && !(choice.told || "").includes(part)).join(_("; "));
    const node = button("", (event) => take(choice, event.detail === 0), { "data-target": choice.target || "", "data-typed": choice.typed });
    node.append(made("code", { text: choice.typed || choice.words }), extra ? ` ${extra}` : "", choice.told && choice.told !== (choice.typed || choice.words) ? made("small", { text: choice.told }) : "");
    const look = () => { table.board.lit(keyOf(choice)); weigh(choice.words || choice.typed); };
    node.addEventListener("focus", look);
    node.addEventListener("pointerenter", look);
    return node;
  }

  // The choices as a list, or those of one target; `extra` are buttons in front of them.
  function choicesShown(choices, title = "", extra = [], key = "") {
    delete the("choices").dataset.stack;
    shownOf = key;
    shownBefore = extra;
    const all = choices.map(choiceButton);
    const shown = all.slice(0, LONG);
    const more = all.length > LONG ? [button(_("Show all %(count)s", { count: all.length }), () => fill(all))] : [];
    const head = title ? [made("h3", { text: title })] : [];
    const fill = (nodes) => the("choices").replaceChildren(...head, ...extra, ...nodes);
    fill([...shown, ...more]);
  }

  function entriesShown(entries) {
    the("entries").hidden = !entries.length;
    the("entries").querySelector("div").replaceChildren(...entries.flatMap((entry) => [
      made("h3", { text: entry.heading }),
      ...entry.orders.map((order) => button("", () => table.orders.composed(order.typed, true), {})).map((node, at) => {
        node.append(made("code", { text: entry.orders[at].typed }), entry.orders[at].note ? made("small", { text: entry.orders[at].note }) : "");
        return node;
      }),
      ...(entry.notes || []).map((note) => made("p", { text: note })),
    ]));
  }

  async function take(choice, byKey) {
    const found = await table.orders.add(choice.words, choice.typed);
    if (found) put(byKey);
  }

  // Put down what is picked.
  function put(byKey) {
    table.picked = null;
    table.offered = null;
    table.own = null;
    delete the("choices").dataset.stack;
    groups = new Map();
    ownShown();
    weigh.never();
    the("choosing-title").textContent = _("A unit or a place");
    the("told").textContent = "";
    the("offers").textContent = "";
    told(the("unable"), "");
    the("choices").replaceChildren();
    entriesShown([]);
    the("odds").hidden = true;
    table.board.mark([]);
    if (table.judged) table.orders.ways();
    if (byKey) the("maps").focus();
    side();
  }

  // What an order would bring, with every modifier.
  const weigh = later(120, async (words) => {
    const found = await table.asked("odds", { text: table.text, at: null, words });
    if (!found || !table.offered) return;
    the("odds").hidden = false;
    the("odds").replaceChildren(...table.orders.judgement(found));
  });

  // --- clicks ---------------------------------------------------------------------------------------------------

  // Why the unit that is picked can do nothing there, said once: who clicks there again picks what stands there.
  async function refused(spot) {
    const what = table.picked;
    const asked = `${what?.unit} ${spot.label}`;
    if (!what?.unit || !spot.label || asked === saidOf || !unitOf(what.unit).mine || unitOf(what.unit).at === spot.label || !table.open()) return false;
    const place = spot.units.find((id) => !unitOf(id).mine) || spot.label;
    const found = await table.asked("choices", { text: table.text, at: null, unit: what.unit, place });
    if (!found || table.picked !== what || found.choices.length) return false;
    saidOf = asked;
    tell(_("%(why)s. Click there again to look at it.", { why: bare(found.told) }));
    return true;
  }

  async function clicked(spot, event) {
    if (event.shiftKey || (the("by-hand").checked && table.picked?.unit && unitOf(table.picked.unit).mine && !(spot.units.includes(table.picked.unit)))) {
      if (spot.label) return step(spot.label);
    }
    const found = spot.target ? groups.get(spot.target) || [] : [];
    const others = spot.units.filter((id) => id !== table.picked?.unit);
    const mine = others.filter((id) => unitOf(id).mine);
    if (found.length === 1 && !mine.length) return take(found[0]);
    if (found.length) {
      const before = [...others.map(unitButton), button(_("Back to all choices"), () => choicesShown(table.offered.choices))];
      return choicesShown(found, _("Which order?"), before, spot.target);
    }
    if (!mine.length && (await refused(spot))) return null;
    if (spot.units.length === 1) return pick({ unit: spot.units[0] });
    if (spot.units.length) return stack(spot);
    if (spot.label) return pick({ place: spot.label });
    return spot.inches ? inches(spot.inches) : null;
  }

  const unitButton = (id) => button(unitOf(id).told, (event) => pick({ unit: id }, event.detail === 0), { "data-unit": id });

  function stack(spot) {
    put();
    const place = table.view.places[spot.label];
    the("told").textContent = _("%(told)s: %(count)s here", { told: place ? place.told : spot.label, count: spot.units.length });
    choicesShown([], "", [...spot.units.map(unitButton), button(_("Who can go there, or act there"), () => pick({ place: spot.label }))]);
    the("choices").dataset.stack = spot.label;
    tell(the("told").textContent);
  }

  // A point of a table: its two numbers, what the unit that is picked can do there, and else the line with them behind.
  async function inches([x, y]) {
    const what = table.picked;
    const place = `${x} ${y}`;
    the("where").textContent = _("%(x)s inches from the west edge, %(y)s from the south edge", { x, y });
    tell(the("where").textContent);
    const begun = the("typed").value.trim();
    if (begun || !what?.unit || !unitOf(what.unit).mine || !table.open()) return begun ? table.orders.composed(`${begun} ${place}`, true) : null;
    const found = await table.asked("choices", { text: table.text, at: null, unit: what.unit, place });
    if (!found || table.picked !== what) return null;
    tell([the("where").textContent, found.told].join(_(". ")));
    if (!found.choices.length) return null;
    return choicesShown(found.choices, the("where").textContent, [button(_("Back to all choices"), () => choicesShown(table.offered.choices))]);
  }

  let pointedAt = "";
  function pointed(spot) {
    const key = spot.target || "";
    the("where").textContent = spot.inches ? _("%(x)s inches from the west edge, %(y)s from the south edge", { x: spot.inches[0], y: spot.inches[1] }) : spot.label && (table.view.places[spot.label].name ? `${table.view.places[spot.label].name} (${spot.label})` : spot.label);
    if (key === pointedAt) return;
    pointedAt = key;
    table.board.lit(key);
    if (groups.has(key)) weigh(groups.get(key)[0].words);
  }

  // --- a way of one's own ---------------------------------------------------------------------------------------

  // How orders of the unit that name hexes one by one begin, those with the longest ways first.
  function stems() {
    const found = new Map();
    for (const choice of table.offered ? table.offered.choices : []) {
      const words = choice.words.replace(/;$/, "").split(" ");
      let end = words.length;
      while (end > 0 && words[end - 1] in table.view.places) end -= 1;
      const stem = words.slice(0, end).join(" ");
      if (end < words.length && end > 1) found.set(stem, Math.max(found.get(stem) || 0, words.length - end));
    }
    return [...found].sort((a, b) => b[1] - a[1]).map(([stem]) => stem);
  }

  async function step(label) {
    if (!table.picked?.unit || !unitOf(table.picked.unit).mine) return tell(_("First click one of my units, then Shift-click the hexes of its way."));
    if (!table.own) {
      const found = stems();
      if (!found.length) return tell(_("%(unit)s has no way that could be written hex by hex now.", { unit: table.picked.unit }));
      table.own = { stems: found, places: [], answer: null };
    }
    table.own.places.push(label);
    return ownJudged();
  }

  // Judge the way as far as it has grown; by the first word for it that makes it legal, else by that which did last.
  async function ownJudged() {
    const way = table.own;
    if (!way.places.length) return dropOwn();
    const size = way.places.length;
    let first = null;
    table.orders.ways();
    for (const stem of way.stems) {
      const words = `${stem} ${way.places.join(" ")}`;
      const found = await table.asked("odds", { text: table.text, at: null, words });
      if (!found || table.own !== way || way.places.length !== size) return null;
      if (found.good || !first || way.held === stem) first = { ...found, words: found.words || words, typed: words };
      if (found.good) {
        way.held = stem;
        break;
      }
    }
    way.answer = first;
    table.orders.ways();
    return ownShown();
  }

  function ownShown() {
    the("own").hidden = !table.own;
    if (!table.own || !table.own.answer) return;
    const { answer, places } = table.own;
    const state = answer.good ? answer.told || _("legal") : _("not legal: %(why)s", { why: wrongWords({ what: answer.why, clause: answer.clause, right: answer.right }) });
    const way = _("A way of my own with %(unit)s: %(places)s", { unit: table.picked.unit, places: places.join(" ") });
    const sign = answer.good ? "\u2713" : "\u2717";
    the("own-told").textContent = _("%(way)s: %(sign)s %(state)s", { way, sign, state });
    the("own-take").disabled = !answer.good;
    tell(the("own-told").textContent);
  }

  async function takeOwn() {
    if (!table.own?.answer?.good) return;
    if (await table.orders.add(table.own.answer.words, table.own.answer.typed)) put(true);
  }

  function stepBack() {
    table.own.places.pop();
    return ownJudged();
  }

  function dropOwn() {
    table.own = null;
    ownShown();
    table.orders.ways();
  }

  // --- by name, and in words ------------------------------------------------------------------------------------

  function named() {
    const name = the("command").value.trim().replace(/\s+/g, " ");
    if (!name) return null;
    const low = name.toLowerCase();
    const all = [
      ...table.view.units.flatMap((unit) => [[unit.id, { unit: unit.id }], [unit.name, { unit: unit.id }]]),
      ...Object.entries(table.view.places).flatMap(([label, place]) => [[label, { place: label }], ...(place.name ? [[place.name, { place: label }]] : [])]),
    ];
    const fits = (test) => [...new Map(all.filter(([one]) => test(one.toLowerCase())).map(([, what]) => [JSON.stringify(what), what])).values()];
    for (const test of [(one) => one === low, (one) => one.startsWith(low), (one) => one.includes(low)]) {
      const found = fits(test);
      if (found.length === 1) {
        the("command").value = "";
        return pick(found[0], true);
      }
      if (found.length > 1) return tell(_("%(name)s may be one of %(count)s; write more of it.", { name, count: found.length }));
    }
    return tell(_("No unit and no place is called %(name)s.", { name }));
  }


  return { pick, put, side, renew, clicked, pointed, left: () => { pointedAt = ""; table.board.lit(""); }, takeOwn, stepBack, dropOwn, named };
}
