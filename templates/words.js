"use strict";
// Sentences in the reader's language: beside a page's scripts lie the translations of those that they mark; of English none.

const TOLD = JSON.parse(document.getElementById("sentences")?.textContent || "{}");

// A sentence with its values put in, named as in `Order %(number)s`. It is a literal in quotation marks: catalogues are made of it.
function _(sentence, values = {}) {
  return (TOLD[sentence] || sentence).replace(/%\((\w+)\)s/g, (gap, name) => (name in values ? String(values[name]) : gap));
}
