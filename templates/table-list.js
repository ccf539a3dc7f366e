"use strict";
// The list of orders: each with its state and why, reordered by dragging or by keys, removed, edited in words.

// What an order's state is, and what an item is beside an order, in words.
const STATES = {
  good: () => _("legal"),
  wrong: () => _("can't be legal"),
  unread: () => _("judged when dice or the opponent have decided"),
  lapse: () => _("may lapse"),
};
const KINDS = {
  if: () => _("condition"),
  stop: () => _("stop"),
  standing: () => _("standing order"),
  say: () => _("talk"),
  plan: () => _("plan"),
  strict: () => _("strict"),
};
const SIGNS = { good: "\u2713", wrong: "\u2717", unread: "\u2026", lapse: "?" };

// `acts` are move(number, before), remove(number), replace(number, words), condition(number), looked(number or null).
function listIn(list, acts) {
  let items = [];
  let current = 0; // the place of the item that the keyboard is on
  let nodes = [];
  let waiting = [[], null]; // the items and the slow check that are shown last, or as soon as nothing is edited

  // What is known of an item: wrong, may lapse (by the slow check), good or not read yet, as one behind dice until then.
  function stateOf(item, at, checked) {
    if (item.state === "wrong") return "wrong";
    if (checked) return checked.items[item.number]?.lapses?.length ? "lapse" : item.state;
    return items.slice(0, at).some((before) => before.dice) ? "unread" : item.state;
  }

  // While an order is edited the list stays as it is; what comes meanwhile is shown when that is over.
  function show(found, checked) {
    waiting = [found, checked];
    if (list.querySelector(".edited")) return;
    const focused = list.contains(document.activeElement);
    items = found;
    current = Math.max(0, Math.min(current, items.length - 1));
    nodes = items.map((item, at) => lineOf(item, at, checked));
    list.replaceChildren(...nodes);
    if (focused && nodes.length) nodes[current].focus();
  }

  function lineOf(item, at, checked) {
    const state = stateOf(item, at, checked);
    const slow = checked ? checked.items[item.number] : null;
    const words = item.text || item.words;
    const node = made("li", {
      cls: state,
      tabindex: at === current ? 0 : -1,
      "data-number": item.number,
      "data-state": state,
      "aria-describedby": "drag-told",
      "aria-label": _("Order %(number)s of %(of)s: %(words)s. %(state)s.", { number: at + 1, of: items.length, words, state: STATES[state]() }),
      "aria-keyshortcuts": "Alt+ArrowUp Alt+ArrowDown Delete Enter",
    });
    const handle = button("\u2807", () => node.focus(), { cls: "drag", tabindex: -1, "aria-label": _("Drag order %(number)s", { number: at + 1 }) });
    handle.addEventListener("pointerdown", (event) => drag(event, at));
    const kind = KINDS[item.kind]?.();
    node.append(
      made("div", { cls: "line" },
        handle,
        made("span", { cls: "sign", "aria-hidden": true, text: SIGNS[state] || "" }),
        made("code", { text: words }),
        kind ? made("small", { text: kind }) : "",
        item.dice ? made("span", { title: _("dice fall"), "aria-label": _("dice fall"), role: "img", text: "\u2684" }) : ""),
      ...notesOf(item, slow, words),
      made("div", { cls: "tools" },
        button(_("Edit"), () => edit(at), { tabindex: at === current ? 0 : -1 }),
        item.kind === "order" ? button(_("If"), () => acts.condition(item.number), { tabindex: at === current ? 0 : -1 }) : "",
        button(_("Earlier"), () => shift(at, -1), { tabindex: at === current ? 0 : -1, disabled: at === 0 }),
        button(_("Later"), () => shift(at, 1), { tabindex: at === current ? 0 : -1, disabled: at === items.length - 1 }),
        button(_("Remove"), () => remove(at), { tabindex: at === current ? 0 : -1 })),
    );
    node.addEventListener("focusin", () => { on(at); acts.looked(item.number); });
    node.addEventListener("focusout", () => acts.looked(null));
    node.addEventListener("pointerenter", () => acts.looked(item.number));
    node.addEventListener("pointerleave", () => acts.looked(null));
    node.addEventListener("keydown", (event) => key(event, at));
    return node;
  }

  function notesOf(item, slow, words) {
    const notes = [];
    if (item.words && item.words !== words) notes.push(made("p", { cls: "about", text: item.words }));
    if (item.state === "wrong") notes.push(made("p", { cls: "wrong", text: wrongWords({ what: item.why, clause: item.clause, right: item.right }) }));
    for (const one of (slow && slow.lapses) || []) notes.push(made("p", { cls: "doubt", text: one.told || _("lapses in about %(share)s of 10 futures", { share: one.share }) }));
    for (const one of (slow && slow.comes) || []) notes.push(made("p", { text: one }));
    return notes;
  }

  function on(at) {
    if (at === current) return;
    current = at;
    nodes.forEach((node, place) => {
      node.tabIndex = place === at ? 0 : -1;
      for (const tool of node.querySelectorAll(".tools button")) tool.tabIndex = place === at ? 0 : -1;
    });
  }

  function key(event, at) {
    if (event.target.closest("input")) return;
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      shift(at, event.key === "ArrowUp" ? -1 : 1);
    } else if (event.key === "Delete" || (event.key === "Backspace" && event.target === nodes[at])) {
      event.preventDefault();
      remove(at);
    } else if ((event.key === "Enter" || event.key === "F2") && event.target === nodes[at]) {
      event.preventDefault();
      edit(at);
    } else arrows(event, nodes);
  }

  // One place earlier or later; before the item behind the next one, or behind all.
  function shift(at, by) {
    const to = at + by;
    if (to < 0 || to >= items.length) return;
    const before = by < 0 ? items[to].number : items[to + 1] ? items[to + 1].number : null;
    current = to;
    nodes[at].focus();
    acts.move(items[at].number, before);
  }

  function remove(at) {
    nodes[at].focus();
    acts.remove(items[at].number);
  }

  function edit(at) {
    const item = items[at];
    const line = nodes[at].querySelector(".line");
    const input = made("input", { cls: "edited", "aria-label": _("Order %(number)s in words", { number: at + 1 }), spellcheck: "false" });
    const words = item.text || item.words;
    input.value = words;
    const over = () => {
      input.remove();
      nodes[at].focus();
      show(...waiting);
    };
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      current = at;
      over();
      if (event.key === "Enter" && input.value.trim() !== words) acts.replace(item.number, input.value.trim());
    });
    line.replaceChildren(input);
    input.focus();
  }

  // An order follows the pointer; where it is let go it stands.
  function drag(event, at) {
    if (event.button) return;
    event.preventDefault();
    const node = nodes[at];
    const handle = event.currentTarget;
    let to = at;
    node.classList.add("held");
    handle.setPointerCapture(event.pointerId);
    const clean = () => nodes.forEach((one) => one.classList.remove("under", "above"));
    const move = (now) => {
      clean();
      const boxes = nodes.map((one) => one.getBoundingClientRect());
      to = boxes.findIndex((box) => now.clientY < box.top + box.height / 2);
      if (to < 0) to = nodes.length;
      if (to < nodes.length) nodes[to].classList.add("under");
      else nodes[to - 1].classList.add("above");
    };
    const end = (now) => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", end);
      handle.removeEventListener("pointercancel", end);
      clean();
      node.classList.remove("held");
      if (now.type === "pointercancel" || to === at || to === at + 1) return;
      current = to > at ? to - 1 : to;
      acts.move(items[at].number, to < items.length ? items[to].number : null);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
  }

  return { show, focus: (number) => {
    const at = number ? items.findIndex((item) => item.number === number) : current;
    if (at >= 0 && nodes[at]) { on(at); nodes[at].focus(); }
  } };
}
