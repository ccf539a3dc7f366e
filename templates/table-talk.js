"use strict";
// What all parts of the page share: nodes made of text alone, questions to the program, dialogs.

const the = (id) => document.getElementById(id);
const GAME = decodeURIComponent((location.pathname.match(/^\/game\/([^/]+)$/) || ["", ""])[1]);

// A node with these properties and children; strings become text, whatever is in them.
function made(tag, given = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else node.setAttribute(name === "cls" ? "class" : name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

const button = (text, act, given = {}) => made("button", { type: "button", onclick: act, ...given, text });
const option = (value, text) => made("option", { value, text });
const paragraphs = (lines) => lines.map((line) => made("p", { text: line }));

// A part of the page is shown with this text, or hidden where there is none.
function told(node, text) {
  node.textContent = text || "";
  node.hidden = !text;
}

// Tell what a screen reader reads out, and what stands below the map.
function tell(text) {
  if (the("live").textContent === text) the("live").textContent = "";
  the("live").textContent = text;
}

// A sentence without its full stop.
const bare = (words) => (words || "").replace(/[.\u3002]$/, "");

// What is wrong, in one line as the commands tell it.
function wrongWords(error) {
  const { where, clause } = error;
  const what = bare(error.what || error.why);
  return [
    where ? _("%(where)s: %(what)s.", { where, what }) : _("%(what)s.", { what }),
    clause ? _("Clause %(clause)s.", { clause }) : "",
    error.right ? _("%(what)s.", { what: bare(error.right) }) : "",
  ].filter(Boolean).reduce((before, behind) => _("%(before)s %(behind)s", { before, behind }));
}

// An answer that isn't what was asked for: its status and its data.
class Answered extends Error {
  constructor(status, data) {
    super(data.error ? wrongWords(data.error) : _("It didn't work: %(what)s", { what: status }));
    this.status = status;
    this.data = data;
  }
}

// What the first link has brought: unlike its cookie no page of another port can read it.
const keyOfPage = () => localStorage.getItem("pbem") || "";

// Ask the program. Raises Answered when it refuses, the browser's own error when it isn't there or `signal` ends it.
async function ask(path, data, signal) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Pbem": keyOfPage() },
    body: JSON.stringify(data),
    signal,
  });
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Answered(answer.status, found);
  return found;
}

// Run `act` when nothing has asked for it again for so many milliseconds.
function later(wait, act) {
  let due = 0;
  const later = (...given) => {
    clearTimeout(due);
    due = setTimeout(() => act(...given), wait);
  };
  later.never = () => clearTimeout(due);
  return later;
}

// A dialog with a title and nodes below it. Gives the value of the button that ended it, "" for Escape.
function askedIn(title, nodes, buttons) {
  const dialog = the("ask");
  the("ask-title").textContent = title;
  the("ask-said").replaceChildren(...nodes);
  return new Promise((done) => {
    const end = (value) => {
      dialog.onclose = null;
      dialog.close();
      done(value);
    };
    the("ask-buttons").replaceChildren(...buttons.map(([value, text], place) =>
      button(text, () => end(value), place ? {} : { cls: "main" })));
    dialog.onclose = () => done("");
    if (!dialog.open) dialog.showModal();
    the("ask-buttons").firstChild?.focus();
  });
}

// Up and Down, Home and End lead from one node of a list to another.
function arrows(event, nodes) {
  const steps = { ArrowUp: -1, ArrowDown: 1, Home: -nodes.length, End: nodes.length };
  if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey || !nodes.length) return null;
  const at = nodes.findIndex((node) => node === document.activeElement || node.contains(document.activeElement));
  event.preventDefault();
  const to = nodes[Math.min(Math.max(at + steps[event.key], 0), nodes.length - 1)];
  to.focus();
  return to;
}
