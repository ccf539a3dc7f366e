"use strict";
// A table in the browser: a unit is picked, its choices are marked, a target is clicked, the order joins the list.
(async () => {
  // What the parts of the page share: the game as it was drawn, the orders, what is picked, and the parts themselves.
  const table = {
    view: null, // the answer of /view
    mark: null, // which text of the draft this page knows
    text: "", // the orders as they are written
    judged: null, // what /orders says of that text
    checked: null, // what /check says of it
    picked: null, // {unit} or {place}
    offered: null, // the answer of /choices for it
    own: null, // a way of one's own: {stems, places, answer}
    forms: null,
    open: () => Boolean(table.view.due.mine && table.view.asked), // whether orders are asked of me
    asked,
    load,
    roster,
  };
  const FEW = 3; // so many standing orders and the like stand above the map unfolded
  table.orders = ordersOf(table);
  table.units = unitsOf(table);
  table.post = postOf(table);
  table.board = boardIn(the("maps"), {
    clicked: table.units.clicked,
    pointed: table.units.pointed,
    seen: (at) => { the("which").value = String(at); },
  });
  const { board } = table;

  // --- questions ------------------------------------------------------------------------------------------------

  // Ask about this game as it was drawn. Gives null where what came back is dealt with: the game or its draft have changed.
  async function asked(path, data = {}, signal = undefined) {
    const carried = "text" in data ? { mark: table.mark } : {};
    try {
      const found = await ask(`/api/${GAME}/${path}`, { head: table.view.head, ...carried, ...data }, signal);
      if (typeof found.mark === "string") table.mark = found.mark;
      if ("text" in data && (found.mark || found.unsaved)) saved(found.unsaved || "");
      return found;
    } catch (error) {
      if (error.name === "AbortError") return null;
      if (error instanceof Answered && error.data.moved) await load(true);
      else if (error instanceof Answered && error.data.changed) await changed(error.data);
      else if (error instanceof Answered) tell(error.message);
      else tell(_("The program behind this page doesn't answer. `pbem table` starts it again."));
      return null;
    }
  }

  // Tell whether the list is in the file of orders; while another program keeps this one from it, try it again.
  function saved(why) {
    told(the("unsaved"), why && _("Not in the file of orders yet: %(why)s. It is tried again.", { why }));
    if (why) keeping();
    else keeping.never();
  }

  const keeping = later(600, async () => {
    if (!table.open()) return saved("");
    const text = table.text;
    const found = await ask(`/api/${GAME}/draft`, { head: table.view.head, mark: table.mark, text }).catch((error) => error);
    if (found instanceof Answered && (found.data.moved || found.data.changed)) return table.orders.judge();
    if (typeof found.mark !== "string" || text !== table.text) return keeping();
    table.mark = found.mark;
    return saved("");
  });

  async function changed(found) {
    const which = await askedIn(_("The file of orders was changed elsewhere"), [...paragraphs([_("An editor or a command has written it since this page did.")]), made("pre", { text: found.draft })], [
      ["theirs", _("Take the file as it is")],
      ["mine", _("Keep what is on this page")],
    ]);
    table.mark = found.mark;
    if (which !== "mine") table.orders.remember();
    table.orders.written(which === "mine" ? table.text : found.draft);
    await table.orders.judge();
  }

  const REPLAY = "#replay-";
  const moment = () => (location.hash.startsWith(REPLAY) ? location.hash.slice(REPLAY.length) : "");

  // --- the view -------------------------------------------------------------------------------------------------

  async function load(moved) {
    const before = table.view;
    const found = await ask(`/api/${GAME}/view`, {});
    const kept = before && found.seq === before.seq;
    table.view = found;
    table.mark = found.mark ?? null;
    if (!kept) table.orders.forget();
    table.orders.written(kept ? table.text : found.draft);
    drawn();
    board.begin(table.view);
    table.units.put();
    the("stage").classList.remove("reading");
    if (!before) board.lookAt(middle());
    if (!before && moment()) the("replay").open = true;
    await table.orders.judge();
    if (moved) tell(gone(kept, before && table.text));
    shapes();
    table.post.games();
  }

  // What has become of the page's list when the game had to be read anew.
  function gone(kept, listed) {
    if (kept) return _("The game was read anew; your list of orders is kept.");
    if (listed) return _("The game has gone on meanwhile: another mail is due now, and the list is the one for it.");
    return _("The game has gone on meanwhile; this is how it stands now.");
  }

  // Who plays whom.
  function played(game) {
    const roles = { me: game.me, side: game.side_title, opponent: game.opponent };
    if (game.solo) return _("%(me)s plays both sides.", roles);
    if (game.bot) return _("%(me)s plays %(side)s; %(opponent)s is a bot on this machine.", roles);
    return _("%(me)s plays %(side)s; %(opponent)s is the opponent.", roles);
  }

  // My unit that stands in the middle of all of mine: there one looks first.
  function middle() {
    const mine = table.view.units.filter((unit) => unit.mine && unit.map === table.view.maps[0]?.name && unit.x !== null);
    const all = mine.length ? mine : table.view.units.filter((unit) => unit.map === table.view.maps[0]?.name && unit.x !== null);
    const x = all.reduce((sum, unit) => sum + unit.x, 0) / all.length;
    const y = all.reduce((sum, unit) => sum + unit.y, 0) / all.length;
    return all.sort((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y))[0] || { map: "", x: null };
  }

  function drawn() {
    const { game, due } = table.view;
    document.title = `${game.name}: ${table.view.title}`;
    the("game").textContent = game.title;
    the("players").textContent = played(game);
    the("title").textContent = table.view.title;
    the("due").textContent = table.view.outcome || due.told;
    waiting(table.view.waits);
    proposed();
    for (const id of ["send", "send-open"]) the(id).disabled = !due.mine;
    the("send").textContent = table.view.bare ? _("Send what is due") : _("End phase and send");
    the("send-open").hidden = !table.view.closing || table.view.bare;
    the("listing").hidden = !table.open() && !table.view.bare;
    the("agreements").hidden = game.over;
    the("which").replaceChildren(...table.view.maps.map((map, at) => option(at, map.title)));
    the("which").hidden = table.view.maps.length < 2;
    the("by-hand").parentNode.hidden = Boolean(table.view.table) || !table.view.maps.length;
    the("report-text").replaceChildren(made("pre", { text: table.view.report }));
    the("report-frame").replaceChildren();
    the("replay").open = false;
    the("replay").querySelector("div").replaceChildren();
    const units = table.view.units.map((unit) => made("option", { value: unit.id, label: unit.name === unit.id ? unit.id : `${unit.name} (${unit.id})` }));
    const places = Object.entries(table.view.places).map(([label, place]) => made("option", { value: label, label: place.name ? `${place.name} (${label})` : label }));
    the("names").replaceChildren(...units, ...places);
    roster();
  }

  // What of mine is in force or kept; folded where it is much.
  function waiting(lines) {
    const fold = the("waits-fold");
    fold.hidden = lines.length <= FEW;
    fold.querySelector("summary").textContent = _("Standing orders, plans and what is kept: %(count)s", { count: lines.length });
    if (fold.hidden) fold.after(the("waits"));
    else fold.append(the("waits"));
    the("waits").replaceChildren(...lines.map((line) => made("li", { text: line })));
  }

  // My units, each in words, as they stand behind the orders of the list.
  function roster() {
    const mine = table.view.units.filter((unit) => unit.mine);
    the("roster").hidden = !mine.length;
    the("roster").querySelector("ul").replaceChildren(...mine.map((unit) =>
      made("li", {}, button(unit.told, () => table.units.pick({ unit: unit.id }, true), { "data-unit": unit.id }))));
  }

  function proposed() {
    const proposal = table.view.proposal;
    the("proposal").hidden = !proposal;
    if (!proposal) return;
    const answer = (what) => () => table.post.sent(asked("answer", { do: what, note: the("note").value }));
    the("proposal").replaceChildren(made("span", { text: proposal.told }),
      ...(proposal.mine ? [] : [button(_("Accept"), answer("accept")), button(_("Refuse"), answer("refuse"))]));
  }

  async function shapes() {
    const found = table.open() ? await asked("shapes") : null;
    the("forms").hidden = !found;
    if (!found) return;
    the("usages").replaceChildren(...found.orders.map((usage) => made("option", { value: usage })));
    table.forms = formsIn(the("forms").querySelector("div"), found, {
      orders: () => (table.judged ? table.judged.items : []).filter((item) => item.kind === "order").map((item) => item.text),
      put: (words, replaced) => {
        if (replaced) table.orders.edit("replace", { number: replaced, words });
        else table.orders.composed(words);
      },
    });
    table.forms.listed();
  }

  // --- what the page listens to ---------------------------------------------------------------------------------

  const acts = {
    "command-go": table.units.named,
    "typed-add": table.orders.addTyped,
    undo: table.orders.undo,
    clear: () => { table.orders.remember(); table.orders.written(""); table.orders.judge(); },
    send: () => table.post.finish(true),
    "send-open": () => table.post.finish(false),
    "own-take": table.units.takeOwn,
    "own-back": table.units.stepBack,
    "own-drop": table.units.dropOwn,
    smaller: () => board.zoomed(1 / 1.25),
    larger: () => board.zoomed(1.25),
    fit: () => board.zoomed(0),
    "mail-open": () => the("mail").showModal(),
    "mail-close": () => the("mail").close(),
    "mail-go": async () => table.post.openMail(the("mail-text").value || (the("mail-file").files[0] ? await table.post.textOf(the("mail-file").files[0]) : "")),
    "keys-open": () => the("keys").showModal(),
    "keys-close": () => the("keys").close(),
    stop: async () => {
      tell(_("The page is closed as soon as what is at work is done."));
      await ask("/api/stop", {}).catch(() => null);
      document.body.replaceChildren(made("main", {}, made("p", { text: _("The page is closed. `pbem table` opens it again.") })));
    },
    "report-page": () => {
      the("report-frame").replaceChildren(made("iframe", { src: `/game/${GAME}/report?key=${encodeURIComponent(keyOfPage())}`, sandbox: "", title: _("The report as a page") }));
    },
  };
  for (const [id, act] of Object.entries(acts)) the(id).addEventListener("click", act);
  for (const node of the("agreements").querySelectorAll("button")) node.addEventListener("click", () => table.post.agree(node.dataset.do));

  const entered = (id, act) => the(id).addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    act();
  });
  entered("command", table.units.named);
  entered("typed", table.orders.addTyped);
  the("typed").addEventListener("input", () => table.orders.typedJudged());
  the("text").addEventListener("input", table.orders.typed);
  the("games").addEventListener("change", () => {
    if (the("games").value) location.assign(`/game/${encodeURIComponent(the("games").value)}`);
  });
  the("which").addEventListener("change", () => board.see(Number(the("which").value)));
  the("choices").addEventListener("keydown", (event) => arrows(event, [...the("choices").querySelectorAll("button")]));
  the("maps").addEventListener("pointerleave", table.units.left);
  the("replay").addEventListener("toggle", () => {
    const room = the("replay").querySelector("div");
    if (!the("replay").open || room.firstChild) return;
    const src = `/game/${GAME}/replay?key=${encodeURIComponent(keyOfPage())}${moment() ? `#${moment()}` : ""}`;
    room.append(made("iframe", { src, sandbox: "allow-scripts", title: _("The game to be watched again") }));
  });
  // The address of the page has the moment that is shown: it leads there again.
  window.addEventListener("message", (event) => {
    const shown = event.source === the("replay").querySelector("iframe")?.contentWindow ? String(event.data?.moment ?? "") : "";
    if (/^[a-z0-9.-]{1,40}$/.test(shown)) history.replaceState(null, "", `${REPLAY}${shown}`);
  });
  window.addEventListener("resize", () => board.sized());
  window.addEventListener("beforeunload", (event) => {
    if (!the("unsaved").hidden) event.preventDefault();
  });

  // What was told belongs to what was done last: with the next deed it goes.
  for (const deed of ["click", "input"]) document.addEventListener(deed, () => tell(""), true);

  const KEYS = {
    "/": () => the("command").focus(), "?": () => the("keys").showModal(), l: () => table.orders.focus(), m: () => the("maps").focus(),
    t: () => the("typed").focus(), "+": () => board.zoomed(1.25), "-": () => board.zoomed(1 / 1.25),
  };
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || !table.view) return;
    const typing = event.target.closest("input:not([type=checkbox]), textarea, select");
    if (event.key === "Escape") {
      if (table.own) table.units.dropOwn();
      else table.units.put();
      the("maps").focus();
    } else if (table.own && event.key === "Enter" && !typing && !event.target.closest("button, a, summary, li")) {
      event.preventDefault();
      table.units.takeOwn();
    } else if (table.own && event.key === "Backspace" && !typing) {
      event.preventDefault();
      table.units.stepBack();
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
    const mail = file ? await table.post.textOf(file) : event.dataTransfer.getData("text/plain");
    if (mail) table.post.openMail(mail);
  });

  // --- it begins ------------------------------------------------------------------------------------------------

  if (!GAME) {
    table.post.games();
    return;
  }
  try {
    the("stage").hidden = false;
    the("below").hidden = false;
    await load(false);
    the("wait").hidden = true;
  } catch (error) {
    the("stage").hidden = true;
    the("below").hidden = true;
    table.post.games();
    told(the("wait"), error instanceof Answered ? error.message : _("It didn't work: %(what)s", { what: error.message }));
  }
})();
