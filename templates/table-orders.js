"use strict";
// The orders of the mail: their text, what the program says of it, each change of it, and orders written in words.

// `table` is what the parts of the page share.
function ordersOf(table) {
  const NOTHING = { items: [], errors: [], asked: null, comes: "", closed: false, maps: {}, pieces: {}, units: [] };
  const past = []; // texts before the last changes
  let asking = 0; // the newest question about the text
  let edits = Promise.resolve();
  let aborted = null; // ends the slow check
  let lastWay = null; // the number of the item whose way stands out

  // --- the text and its judgement -------------------------------------------------------------------------------

  // Show another text without judging it.
  function written(next) {
    table.text = next;
    if (the("text").value !== next) the("text").value = next;
  }

  function remember() {
    if (past[past.length - 1] !== table.text) past.push(table.text);
  }

  async function judge() {
    const turn = ++asking;
    judging.never();
    if (!table.open()) return apply(NOTHING);
    const found = await table.asked("orders", { text: table.text });
    if (found && turn === asking) apply(found);
  }

  const judging = later(250, judge);

  function apply(found) {
    table.judged = { ...found, text: table.text };
    table.checked = null;
    aborted?.abort();
    table.board.show(found.maps || {}, found.pieces || {});
    const moved = new Map((found.units || []).map((unit) => [unit.id, unit]));
    table.view.units = table.view.units.map((unit) => ({ ...unit, ...(moved.get(unit.id) || unit.was || {}), was: unit.was || { at: unit.at, map: unit.map, x: unit.x, y: unit.y, told: unit.told } }));
    table.roster();
    listed();
    table.forms?.listed();
    const now = found.asked || null;
    const first = table.view.asked && now && now.prompt === table.view.asked.prompt;
    told(the("asked"), now && !first ? _("Behind these orders: %(prompt)s", now) + (now.clause ? ` [${now.clause}]` : "") : "");
    told(the("comes"), [found.comes].flat().filter(Boolean).join(" "));
    the("warnings").replaceChildren();
    if (found.items.length && table.view.due.mine) checking();
    else checking.never();
    if (table.picked) table.units.renew();
    else table.units.side();
  }

  function listed() {
    const { items, errors } = table.judged;
    const slow = (table.checked && table.checked.errors) || [];
    const itemOf = (error) => items.find((item) => item.first <= error.line && error.line <= item.last);
    for (const error of slow) {
      const item = itemOf(error);
      if (item) Object.assign(item, { state: "wrong", why: error.what, clause: error.clause, right: error.right });
    }
    list.show(items, table.checked);
    the("empty").hidden = items.length > 0;
    the("errors").replaceChildren(...paragraphs([...errors, ...slow.filter((error) => !itemOf(error))].map(wrongWords)));
    waysDrawn();
  }

  // Let the orders be tried a hundred times, which takes seconds; gives nothing where the text has changed meanwhile.
  async function check() {
    checking.never();
    aborted?.abort();
    aborted = new AbortController();
    const turn = asking;
    the("warnings").replaceChildren(made("p", { cls: "about", text: _("The orders are being played out, as `pbem check` does it.") }));
    const found = await table.asked("check", { text: table.text }, aborted.signal);
    if (turn !== asking || (found && found.older)) return;
    table.checked = found;
    listed();
    the("warnings").replaceChildren(...(found ? warned() : []));
  }

  const checking = later(700, check);

  function warned() {
    const lapses = Object.values(table.checked.items).flatMap((item) => item.lapses || []);
    const doubts = table.checked.doubts.filter((line) => !lapses.some((one) => line.includes(one.told)));
    const lines = [
      ...table.checked.endings.map((one) => made("p", { cls: "ending", text: `\u2691 ${one.told || one}` })),
      ...doubts.map((one) => made("p", { text: `? ${one.told || one}` })),
      ...table.checked.remarks.map((one) => made("p", { cls: "remark", text: one.told || one })),
    ];
    const fine = !lines.length && !table.checked.errors.length && table.judged.items.every((item) => item.state !== "wrong")
      && !lapses.length;
    const words = _("Played out, nothing speaks against these orders.");
    return fine ? [made("p", { cls: "fine", text: `\u2713 ${words}` })] : lines;
  }

  // Change the list by the program's own hand, one change after another.
  function edit(what, data) {
    const next = edits.then(async () => {
      const found = await table.asked("edit", { text: table.text, do: what, number: null, to: null, words: "", ...data });
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
    const item = table.judged.items.find((one) => one.number === found.number);
    lastWay = found.number;
    waysDrawn();
    tell(item && item.state === "wrong" ? wrongWords({ ...item, what: item.why, where: item.text }) : _("Added: %(words)s", { words: item ? item.words || item.text : words }));
    return found;
  }

  const list = listIn(the("list"), {
    move: async (number, to) => {
      const moved = table.judged.items.find((item) => item.number === number);
      const found = await edit("move", { number, to });
      if (found && moved) tell(_("%(words)s is now order %(number)s of %(of)s.", { words: moved.text, number: found.number, of: table.judged.items.length }));
    },
    remove: async (number) => {
      const gone = table.judged.items.find((item) => item.number === number);
      if ((await edit("remove", { number })) && gone) tell(_("Removed: %(words)s", { words: gone.text }));
    },
    replace: (number, words) => edit("replace", { number, words }),
    condition: (number) => {
      the("forms").open = true;
      table.forms?.condition(number, table.judged.items.find((item) => item.number === number).text);
    },
    looked: (number) => {
      if (lastWay === number) return;
      lastWay = number;
      waysDrawn();
    },
  });

  function waysDrawn() {
    const ways = [];
    for (const item of table.judged ? table.judged.items : []) {
      if ((item.way || []).length) ways.push({ points: item.way, number: item.number, bad: item.state === "wrong", here: item.number === lastWay });
    }
    if (table.own && table.own.places.length) {
      const unit = table.view.units.find((one) => one.id === table.picked.unit);
      const there = table.own.places.map((label) => table.view.places[label]).map((one) => [one.map, one.x, one.y]);
      const from = unit && unit.map && unit.x !== null ? [[unit.map, unit.x, unit.y]] : [];
      ways.push({ points: [...from, ...there], bad: table.own.answer && !table.own.answer.good });
    }
    table.board.ways(ways);
  }

  function undo() {
    if (!past.length) return tell(_("There is nothing to undo."));
    written(past.pop());
    tell(_("The last change is undone."));
    return judge();
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
    const found = await table.asked("odds", { text: table.text, at: null, words });
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

  // What the program says of an order, with every modifier.
  function judgement(found) {
    if (!found.good) return [made("p", { cls: "wrong", text: `\u2717 ${wrongWords({ what: found.why, clause: found.clause, right: found.right })}` })];
    const rows = (found.factors || []).map((one) => made("tr", {}, made("td", { text: one.what }), made("td", { text: one.value }), made("td", { text: one.clause || "" })));
    const odds = [found.odds].flat().filter(Boolean).map((line) => line.told || line);
    return [
      made("p", { text: _("It would be legal: %(words)s", { words: found.told || found.words }) }),
      ...paragraphs(odds.filter((line) => !(found.told || "").includes(line))),
      ...(rows.length ? [made("table", {}, made("tbody", {}, ...rows))] : []),
    ];
  }

  return {
    written, remember, judge, check, edit, add, undo, ways: waysDrawn, composed, addTyped, typedJudged, judgement,
    focus: () => list.focus(),
    settled: () => edits,
    forget: () => { past.length = 0; },
    typed: () => {
      remember();
      asking += 1;
      table.text = the("text").value;
      judging();
    },
  };
}
