"use strict";
// Maps put together from pieces of SVG that are drawn once each, seen one at a time in a window that scrolls.

// `room` is that window, each of `maps` has a title and a box, `pieces` are texts of SVG that our own program has drawn.
function picturesIn(room, maps, pieces) {
  const SVG = "http://www.w3.org/2000/svg";
  const LEGIBLE = 0.8; // the zoom at which what counters say can be read
  const LARGEST = 4;
  let shown = 0; // the place of the map that is seen

  const drawn = maps.map((map) => {
    const [left, top, width, height] = map.box;
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    svg.setAttribute("font-family", "Helvetica, Arial, sans-serif");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", map.title);
    return { svg, nodes: new Map(), zoom: 0, width, height };
  });

  function pieceOf(place, number) {
    const map = drawn[place];
    let node = map.nodes.get(number);
    if (node === undefined) {
      node = document.createElementNS(SVG, "g");
      node.innerHTML = pieces[number];
      map.nodes.set(number, node);
    }
    return node;
  }

  // Put the pieces of a picture on a map in their order; those that weren't there are given back.
  function show(where, picture) {
    const map = drawn[where];
    const wanted = new Set(picture);
    const there = new Set();
    for (const [number, node] of map.nodes) {
      if (node.parentNode && !wanted.has(number)) node.remove();
      else if (node.parentNode) there.add(number);
    }
    let place = map.svg.firstChild;
    const added = [];
    for (const number of picture) {
      const node = pieceOf(where, number);
      if (node === place) place = place.nextSibling;
      else map.svg.insertBefore(node, place);
      if (!there.has(number)) added.push(node);
    }
    return added;
  }

  function sized() {
    const map = drawn[shown];
    const least = (room.clientWidth - 2) / map.width;
    const zoom = Math.max(map.zoom || Math.max(least, LEGIBLE), least);
    map.svg.setAttribute("width", Math.round(map.width * zoom));
    map.svg.setAttribute("height", Math.round(map.height * zoom));
    return zoom;
  }

  // Larger or smaller by a factor, or for 0 the whole map; what lay in the middle stays there.
  function zoomed(by) {
    const x = (room.scrollLeft + room.clientWidth / 2) / room.scrollWidth;
    const y = (room.scrollTop + room.clientHeight / 2) / room.scrollHeight;
    drawn[shown].zoom = by ? Math.min(sized() * by, LARGEST) : 0.001;
    sized();
    room.scrollTo(x * room.scrollWidth - room.clientWidth / 2, y * room.scrollHeight - room.clientHeight / 2);
  }

  function see(place) {
    shown = place;
    room.replaceChildren(drawn[place].svg);
    room.setAttribute("aria-label", maps[place].title);
    sized();
  }

  // Scroll so that a point of the map that is seen, in picture units, lies in the middle.
  function centre(x, y) {
    const zoom = sized();
    const [left, top] = maps[shown].box;
    room.scrollTo((x - left) * zoom - room.clientWidth / 2, (y - top) * zoom - room.clientHeight / 2);
  }

  return { drawn, pieceOf, show, sized, zoomed, see, centre, seen: () => shown };
}
