"use strict";
// The maps of the page, or its table: pictures, what a click on them means, and the marks that lie over the pieces.

// `seen` is told which map is shown now; `clicked` and `pointed` what is clicked, and what the pointer is on.
function boardIn(room, { seen, clicked, pointed }) {
  const SVG = "http://www.w3.org/2000/svg";
  const NEAR = 40; // picture units: half a hex
  let pictures = null;
  let maps = [];
  let view = null;
  let layers = [];
  let spots = []; // marks that can be clicked: {map, x, y, target, node}
  let pieces = [];
  let places = new Map(); // map -> [label, x, y]

  function drawn(tag, given, text) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(given)) node.setAttribute(name, String(value));
    if (text !== undefined) node.textContent = text;
    return node;
  }

  // How long words are, in Latin letters: Japanese ones are wider.
  const across = (words) => [...words].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 1.8 : 1), 0);

  // Begin with the pictures of a view; zoom and place stay where the maps are the same.
  function begin(found) {
    const before = pictures && maps.map((map, at) => [map.name, pictures.drawn[at].zoom]);
    const scrolled = [room.scrollLeft, room.scrollTop];
    const last = pictures && maps[pictures.seen()] && maps[pictures.seen()].name;
    view = found;
    maps = view.maps;
    pieces = [...view.pieces];
    pictures = picturesIn(room, maps, pieces);
    layers = maps.map(() => ({ ways: drawn("g", { class: "marks" }), marks: drawn("g", { class: "marks" }) }));
    places = new Map(maps.map((map) => [map.name, []]));
    for (const [label, place] of Object.entries(view.places)) {
      if (places.has(place.map)) places.get(place.map).push([label, place.x, place.y]);
    }
    maps.forEach((map, at) => {
      const zoom = (before || []).find(([name]) => name === map.name);
      if (zoom) pictures.drawn[at].zoom = zoom[1];
      pictures.drawn[at].svg.append(layers[at].ways, layers[at].marks);
      pictures.drawn[at].svg.addEventListener("click", (event) => clicked(spotOf(event, at), event));
      pictures.drawn[at].svg.addEventListener("pointermove", (event) => pointed(spotOf(event, at), event));
    });
    show({});
    if (maps.length) see(Math.max(0, maps.findIndex((map) => map.name === last)));
    if (last) room.scrollTo(...scrolled);
    room.hidden = !maps.length;
  }

  // The pictures of the maps, as far as they differ from the view's; `fresh` are pieces that come behind the view's.
  function show(changed, fresh = {}) {
    for (const [number, svg] of Object.entries(fresh)) {
      if (pieces[number] === svg) continue;
      pieces[number] = svg;
      for (const map of pictures.drawn) {
        map.nodes.get(Number(number))?.remove();
        map.nodes.delete(Number(number));
      }
    }
    maps.forEach((map, at) => pictures.show(at, changed[map.name] || map.picture));
  }

  function see(at) {
    pictures.see(at);
    seen(at, maps[at].title);
  }

  const placeOf = (map) => maps.findIndex((one) => one.name === map);

  // What lies at a point: {map, x, y, target (of a mark), label (of a place), units (ids)}.
  function spotOf(event, at) {
    const svg = pictures.drawn[at].svg;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const { x, y } = point;
    const map = maps[at].name;
    const far = (one) => Math.hypot(one.x - x, one.y - y);
    const near = (found, within) => found.filter((one) => far(one) <= within).sort((a, b) => far(a) - far(b));
    const mark = near(spots.filter((one) => one.map === map), view.table ? 30 : NEAR)[0];
    const units = view.units.filter((one) => one.map === map && one.x !== null);
    if (view.table && view.table.map === map) {
      const stands = near(units, 1.6 * view.table.scale).slice(0, 1).map((one) => one.id);
      const [left, bottom] = view.table.origin;
      const inches = [(x - left) / view.table.scale, (bottom - y) / view.table.scale].map((one) => Math.round(one * 4) / 4);
      return { map, x, y, target: mark?.target, label: "", units: stands, inches };
    }
    const label = near(places.get(map).map(([label, a, b]) => ({ label, x: a, y: b })), NEAR + 2)[0]?.label || "";
    return { map, x, y, target: mark?.target, label, units: units.filter((one) => one.at === label && label).map((one) => one.id) };
  }

  // Marks for targets: each {target, map, x, y, sign (its lines), told, fight}; `picked` are points that stand out, as {map, x, y}.
  function mark(found, picked = []) {
    for (const layer of layers) layer.marks.replaceChildren();
    spots = [];
    for (const one of picked) {
      const at = placeOf(one.map);
      if (at < 0 || one.x === null) continue;
      layers[at].marks.append(drawn("circle", { class: "picked", cx: one.x, cy: one.y, r: 36 }));
    }
    for (const one of found) {
      const at = placeOf(one.map);
      if (at < 0 || one.x === null || one.x === undefined) continue;
      const node = drawn("g", { class: "mark", "data-target": one.target });
      node.append(drawn("title", {}, one.told));
      const wide = Math.max(15, ...one.sign.map((line, at) => 5 + across(line) * (one.sign.length > 1 && !at ? 3.1 : 5)));
      const high = one.sign.length > 1 ? 17 : 14;
      const round = one.fight ? {} : { rx: 14 };
      node.append(drawn("rect", { class: one.fight ? "spot fight" : "spot", x: one.x - wide, y: one.y - high, width: 2 * wide, height: 2 * high, ...round }));
      one.sign.forEach((line, at) => {
        const small = one.sign.length > 1 && !at;
        const y = one.sign.length > 1 ? one.y + (at ? 13 : -4) : one.y + 5.5;
        node.append(drawn("text", small ? { x: one.x, y, class: "small" } : { x: one.x, y }, line));
      });
      layers[at].marks.append(node);
      spots.push({ map: one.map, x: one.x, y: one.y, target: one.target, node });
    }
  }

  // Which target's mark stands out.
  function lit(target) {
    for (const one of spots) one.node.classList.toggle("here", one.target === target);
  }

  // Ways: each {points: [[map, x, y], ...], number, bad, here (it stands out)}; those that do lie above.
  function ways(found) {
    for (const layer of layers) layer.ways.replaceChildren();
    for (const way of [...found].sort((a, b) => Boolean(a.here) - Boolean(b.here))) {
      for (const [at, map] of maps.entries()) {
        const points = way.points.filter((point) => point[0] === map.name);
        if (!points.length) continue;
        const line = points.map(([, x, y]) => `${x},${y}`).join(" ");
        const [, x, y] = points[points.length - 1];
        const bad = `${way.bad ? " bad" : ""}${way.here ? " here" : ""}`;
        if (points.length > 1) {
          layers[at].ways.append(drawn("polyline", { points: line }), drawn("polyline", { class: `ink${bad}`, points: line }));
        }
        layers[at].ways.append(drawn("circle", { class: `way-end${bad}`, cx: x, cy: y, r: 9 }));
        if (way.number) layers[at].ways.append(drawn("text", { class: "way-number", x, y: y + 4 }, way.number));
      }
    }
  }

  // Bring a point of a map into the window, where it isn't.
  function lookAt(one) {
    const at = placeOf(one.map);
    if (at < 0 || one.x === null || one.x === undefined) return;
    if (pictures.seen() !== at) see(at);
    const zoom = pictures.sized();
    const [left, top] = maps[at].box;
    const [x, y] = [(one.x - left) * zoom - room.scrollLeft, (one.y - top) * zoom - room.scrollTop];
    const inside = x > 60 && y > 60 && x < room.clientWidth - 60 && y < room.clientHeight - 60;
    if (!inside) pictures.centre(one.x, one.y);
  }

  return { begin, show, see, mark, lit, ways, lookAt, zoomed: (by) => pictures?.zoomed(by), sized: () => maps.length && pictures?.sized() };
}
