"use strict";
// Small forms for what a click can't say: conditions, stops, standing orders, plans, supporters, talk.

// `shapes` are the program's answer about its words; `put` takes the words that a form makes; `orders` gives those listed.
function formsIn(room, shapes, { put, orders, names }) {
  const labelled = (text, node) => made("label", { text }, node);
  const field = (usage) => made("input", { autocomplete: "off", spellcheck: "false", list: "names", placeholder: usage || "" });
  const select = (choices) => made("select", {}, ...choices.map(([value, text]) => option(value, text)));
  const slots = (one) => (one.slots || []).map((slot) => (typeof slot === "string" ? { word: slot } : slot));

  // One test: its word, and a field for each thing it asks for.
  function testing() {
    const which = select(shapes.tests.map((test, at) => [at, test.usage || test.word]));
    const fields = made("div");
    const of = () => shapes.tests[Number(which.value)];
    const fill = () => fields.replaceChildren(...slots(of()).map((slot) => {
      const choice = slot.choices || slot.options;
      const input = choice ? select(choice.map((one) => [one, one])) : field(slot.usage || slot.word || slot.name);
      return labelled(slot.title || slot.name || slot.word || "", input);
    }));
    which.addEventListener("change", fill);
    fill();
    const words = () => {
      const given = [...fields.querySelectorAll("input, select")].map((one) => one.value.trim());
      let text = of().usage || of().word;
      if (!slots(of()).length) return text;
      // The usage names its slots in capitals, or stands for itself: what is given takes their places in their order.
      const gaps = slots(of()).map((slot) => slot.gap || slot.word || slot.name || "");
      gaps.forEach((gap, at) => { text = text.replace(gap, () => given[at] || gap); });
      return text;
    };
    return { node: made("div", {}, labelled(_("Test"), which), fields), words };
  }

  function tests() {
    const all = [testing()];
    const box = made("div", {}, all[0].node);
    const more = button(_("and another test"), () => { all.push(testing()); box.append(all[all.length - 1].node); });
    return { nodes: [box, more], words: () => all.map((one) => one.words()).join(" and ") };
  }

  // A form: its title, its nodes, and what makes the words of it.
  function form(title, nodes, words, done = put) {
    return made("fieldset", {}, made("legend", { text: title }), ...nodes, button(_("Put it in the line"), () => done(words()), { cls: "put" }));
  }

  let replaced = null; // the number of the item that the condition is written before
  const order = made("input", { autocomplete: "off", spellcheck: "false", list: "listed" });
  order.addEventListener("input", () => { replaced = null; });
  const listed = made("datalist", { id: "listed" });

  function condition() {
    const found = tests();
    const nodes = [...found.nodes, labelled(_("Order"), order), listed];
    return form(_("Condition"), nodes, () => `if ${found.words()} then ${order.value.trim()}`, (words) => {
      put(words, replaced);
      replaced = null;
    });
  }

  function stopping() {
    const found = tests();
    const when = select([["if", _("when its turn comes")], ["whenever", _("as soon as it holds")]]);
    return form(_("Stop"), [labelled(_("stop"), when), ...found.nodes], () => `stop ${when.value} ${found.words()}`);
  }

  function standing() {
    const which = select(shapes.standing.map((one) => [one.usage || one.word, one.usage || one.word]));
    const words = field();
    const fill = () => { words.value = which.value; };
    which.addEventListener("change", fill);
    fill();
    return form(_("Standing order"), [labelled(_("Standing order"), which), labelled(_("Words"), words)],
      () => (words.value.trim() ? `standing ${words.value.trim().replace(/^standing +/, "")}` : ""));
  }

  function planning() {
    const phase = select(shapes.phases.map((one) => [one.name, one.title || one.name]));
    const words = made("input", { autocomplete: "off", spellcheck: "false", list: "usages" });
    return form(_("Plan"), [labelled(_("In the phase"), phase), labelled(_("Order"), words)], () => `in ${phase.value}: ${words.value.trim()}`);
  }

  // An order of the list, or one in words, by more units than one.
  function supporting() {
    const base = made("input", { autocomplete: "off", spellcheck: "false", list: "listed" });
    const units = field();
    const add = (text, more) => (/ with /.test(` ${text} `) ? text.replace(/ with /, ` with ${more} `) : `${text} with ${more}`);
    return form(_("Supporters"), [labelled(_("Order"), base), labelled(_("with"), units)], () =>
      add(base.value.trim().replace(/;$/, ""), units.value.trim()));
  }

  function talking() {
    const words = made("input", { autocomplete: "off" });
    return form(_("Talk"), [labelled(_("Words"), words)], () => `say ${words.value.trim()}`);
  }

  room.replaceChildren(...[
    ...(shapes.tests.length ? [condition(), stopping()] : []),
    ...(shapes.standing.length ? [standing()] : []),
    ...(shapes.phases.length ? [planning()] : []),
    ...(shapes.orders.some((usage) => / with /.test(usage)) ? [supporting()] : []),
    talking(),
  ]);

  return {
    // The orders of the list, to choose from.
    listed: () => listed.replaceChildren(...orders().map((text) => option(text, text))),
    // Begin the condition of an order of the list.
    condition: (number, text) => {
      order.value = text;
      replaced = number;
      room.querySelector("fieldset select")?.focus();
    },
  };
}
