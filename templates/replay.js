"use strict";
// Plays a game again: shows the moment that is asked for, its picture put together from pieces that are drawn once.
(async () => {
  const SVG = "http://www.w3.org/2000/svg";
  const PAUSE = 1600; // milliseconds between two moments while it plays
  const the = (id) => document.getElementById(id);

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  let film;
  try {
    film = await unpacked(the("film").textContent);
  } catch (error) {
    the("wait").textContent = _("This browser can't unpack the game (%(why)s). Any of the last three years can.", { why: error.message });
    return;
  }
  const { moments, maps, pieces, sides } = film;
  let now = -1;
  let playing = 0;

  // --- the pictures -------------------------------------------------------------------------------------------------

  const pictures = picturesIn(the("maps"), maps, pieces);

  function seen(place) {
    pictures.see(place);
    the("which").value = String(place);
  }

  // Scroll so that what was added lies in the middle.
  function follow(added) {
    if (!the("follow").checked || !added.length) return;
    let box = null;
    for (const node of added) {
      const one = node.getBBox();
      if (!one.width && !one.height) continue;
      const ends = [one.x, one.y, one.x + one.width, one.y + one.height];
      box = box ? [Math.min(box[0], ends[0]), Math.min(box[1], ends[1]), Math.max(box[2], ends[2]), Math.max(box[3], ends[3])] : ends;
    }
    if (!box) return;
    pictures.centre((box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
  }

  // --- the words ----------------------------------------------------------------------------------------------------

  const whole = (words) => words.replaceAll(" %", "\u00a0%"); // no line breaks before a sign of per cent

  function listed(list, lines) {
    list.replaceChildren(...lines.map((line) => {
      const item = document.createElement("li");
      item.textContent = whole(line);
      return item;
    }));
  }

  const signed = (value) => (value > 0 ? `+${value}` : String(value).replace("-", "\u2212"));

  function luckOf(at) {
    const most = Math.max(1, ...moments.flatMap((moment) => Object.values(moment.luck).map(Math.abs)));
    const x = (number) => 10 + (number * 340) / Math.max(1, moments.length - 1);
    const y = (value) => 60 - (value / most) * 50;
    const svg = the("luck").querySelector("svg");
    const line = (name, places) => {
      const node = document.createElementNS(SVG, "polyline");
      node.setAttribute("class", name);
      node.setAttribute("points", places.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(" "));
      return node;
    };
    const lines = [line("zero", [[10, 60], [350, 60]]), line("here", [[x(at), 5], [x(at), 115]])];
    sides.forEach((side, place) => {
      lines.push(line(place ? "two" : "one", moments.map((moment, number) => [x(number), y(moment.luck[side.side] || 0)])));
    });
    svg.replaceChildren(...lines);
    the("luck").hidden = !moments.some((moment) => Object.keys(moment.luck).length);
    const told = sides.map((side, place) => {
      const values = { side: side.title, pips: signed(moments[at].luck[side.side] || 0) };
      return place ? _("%(side)s %(pips)s (dashed)", values) : _("%(side)s %(pips)s", values);
    });
    const all = told.join(_(", "));
    the("luck-told").textContent = _("Pips better than the mean so far: %(sides)s.", { sides: all });
  }

  const nameOf = (moment) => `entry-${moment.entry}-${moment.number}`;

  // --- a moment -----------------------------------------------------------------------------------------------------

  function go(to, quiet) {
    const at = Math.min(Math.max(to, 0), moments.length - 1);
    const moment = moments[at];
    const near = Math.abs(at - now) === 1;
    const added = maps.map((map, place) => pictures.show(place, map.pictures[at]));
    now = at;
    const changed = maps.findIndex((map) => moment.maps.includes(map.name));
    if (the("follow").checked && changed >= 0 && !moment.maps.includes(maps[pictures.seen()].name)) seen(changed);
    const shown = pictures.seen();
    const before = at ? new Set(maps[shown].pictures[at - 1]) : new Set();
    const fresh = near && at ? added[shown] : maps[shown].pictures[at].filter((one) => !before.has(one)).map((one) => pictures.pieceOf(shown, one));
    if (at) follow(fresh);
    the("title").textContent = moment.title;
    the("words").textContent = whole(moment.told);
    listed(the("lines"), moment.lines);
    listed(the("score"), moment.score);
    the("where").textContent = _("Entry %(entry)s; moment %(at)s of %(all)s.", { entry: moment.entry, at: at + 1, all: moments.length });
    the("at").value = String(at);
    the("at").setAttribute("aria-valuetext", _("%(title)s, moment %(at)s of %(all)s", { title: moment.title, at: at + 1, all: moments.length }));
    the("phases").value = String(phaseOf[at]);
    for (const button of the("turns").children) {
      if (Number(button.dataset.turn) === moment.turn) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    luckOf(at);
    if (!quiet) {
      location.replace(`#${nameOf(moment)}`);
      if (window.parent !== window) window.parent.postMessage({ moment: nameOf(moment) }, "*"); // a page that holds it
    }
    if (at === moments.length - 1) stop();
  }

  const starts = []; // the first moments of phases
  const phaseOf = moments.map((moment, at) => {
    if (!at || moments[at - 1].title !== moment.title) starts.push(at);
    return starts.length - 1;
  });

  function stop() {
    clearInterval(playing);
    playing = 0;
    the("play").textContent = _("Play");
    the("play").setAttribute("aria-pressed", "false");
  }

  function play() {
    if (playing) return stop();
    if (now === moments.length - 1) go(0);
    playing = setInterval(() => go(now + 1), PAUSE);
    the("play").textContent = _("Pause");
    the("play").setAttribute("aria-pressed", "true");
  }

  function byHand(to) {
    stop();
    go(to);
  }

  const phaseBack = () => byHand(starts[now === starts[phaseOf[now]] ? Math.max(0, phaseOf[now] - 1) : phaseOf[now]]);
  const phaseOn = () => byHand(phaseOf[now] + 1 < starts.length ? starts[phaseOf[now] + 1] : moments.length - 1);
  const acts = {
    first: () => byHand(0),
    "phase-back": phaseBack,
    back: () => byHand(now - 1),
    play,
    on: () => byHand(now + 1),
    "phase-on": phaseOn,
    last: () => byHand(moments.length - 1),
    smaller: () => pictures.zoomed(1 / 1.25),
    larger: () => pictures.zoomed(1.25),
    fit: () => pictures.zoomed(0),
  };
  const keys = {
    ArrowLeft: "back", ArrowRight: "on", PageUp: "phase-back", PageDown: "phase-on", Home: "first", End: "last",
    " ": "play", "+": "larger", "-": "smaller",
  };

  function option(value, words) {
    const one = document.createElement("option");
    one.value = String(value);
    one.textContent = words;
    return one;
  }

  for (const [id, act] of Object.entries(acts)) the(id).addEventListener("click", act);
  document.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    const own = event.target.closest("select, input[type=range], summary") || (event.key === " " && event.target.closest("button, input"));
    if (!act || own || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    acts[act]();
  });
  the("at").max = String(moments.length - 1);
  the("at").addEventListener("input", () => byHand(Number(the("at").value)));
  the("phases").replaceChildren(...starts.map((at, place) => option(place, moments[at].title)));
  the("phases").addEventListener("change", () => byHand(starts[Number(the("phases").value)]));
  the("which").replaceChildren(...maps.map((map, place) => option(place, map.title)));
  the("which").hidden = maps.length < 2;
  the("which").addEventListener("change", () => seen(Number(the("which").value)));
  const turns = [...new Set(moments.map((moment) => moment.turn))];
  the("turns").replaceChildren(...turns.map((turn) => {
    const button = document.createElement("button");
    const first = moments.findIndex((moment) => moment.turn === turn);
    button.type = "button";
    button.textContent = String(turn);
    button.dataset.turn = String(turn);
    button.setAttribute("aria-label", _("%(word)s %(turn)s", { word: film.turn_title, turn }));
    button.style.flexGrow = String(moments.filter((moment) => moment.turn === turn).length);
    button.addEventListener("click", () => byHand(first));
    return button;
  }));
  const linked = () => moments.findIndex((moment) => `#${nameOf(moment)}` === location.hash);
  window.addEventListener("hashchange", () => {
    if (linked() >= 0 && linked() !== now) byHand(linked());
  });
  window.addEventListener("resize", pictures.sized);
  the("wait").hidden = true;
  the("stage").hidden = false;
  if (maps.length) seen(0);
  else the("maps").hidden = true;
  go(Math.max(0, linked()), true);
})();
