// A tool call and its reply as they were rendered for people: blocks are drawn here, never formatted; the JSON one click away.

import { el, put } from "./dom.js";

const FIRST_ROWS = 8;
const WIDE = 16; // characters from which a cell needs a wide column
const LONGEST = 20000; // characters of a JSON text that are shown

// `view` is a ReplyView: sentence, whether something was refused, blocks. `raw` gives the texts of call and reply once
// they are asked for; `more` stands below them.
export function callCard({ title, notes = [], view: [sentence, failed, blocks], raw, more = null }) {
  const open = async (event) => {
    if (event.target.open && event.target.children.length === 1) event.target.append(...(await raw()).map((text) => el("pre", {}, pretty(text))), ...(more ? [more] : []));
  };
  return el("div", { class: "call card" },
    el("h3", {}, el("b", {}, title), notes.map((note) => el("span", { class: "muted" }, note))),
    el("p", { class: failed ? "sentence bad" : "sentence" }, sentence), blocks.map(drawnBlock),
    el("details", { class: "raw", ontoggle: open }, el("summary", {}, "Raw call and reply")));
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 1).slice(0, LONGEST);
  } catch {
    return text.slice(0, LONGEST); // it was cut
  }
}

function drawnBlock([kind, title, columns, rows, leftOut]) {
  return el("div", { class: "block" }, title ? el("span", { class: "muted" }, title) : null, drawn[kind](rows, columns, title),
    leftOut ? el("p", { class: "muted" }, `${leftOut.toLocaleString("en")} more`) : null);
}

const drawn = {
  facts: (rows) => el("ul", { class: "facts" }, rows.map(([label, value]) => el("li", {}, el("span", { class: "muted" }, label), ` ${value}`))),
  notes: (rows) => el("ul", { class: "news" }, rows.map(([text]) => el("li", {}, text))),
  letter: ([[words], ...actions]) => el("div", { class: "quote" }, words, actions.length ? el("ul", { class: "actions" }, actions.map(([action]) => el("li", {}, action))) : null),
  table: drawnTable,
};

function drawnTable(rows, columns, title) {
  const numeric = columns.map((heading) => heading.startsWith(">"));
  const line = (row) => el("tr", {}, row.map((text, at) => el("td", { class: numeric[at] ? "num number" : text.length > WIDE ? "wide" : null }, text)));
  const body = el("tbody", {}, rows.slice(0, FIRST_ROWS).map(line));
  const rest = rows.length - FIRST_ROWS;
  const all = (event) => { put(body, rows.map(line)); event.target.remove(); };
  return [el("div", { class: "sideways", tabindex: "0", role: "group", "aria-label": title || "rows" },
    el("table", {}, el("thead", {}, el("tr", {}, columns.map((heading, at) => el("th", { scope: "col", class: numeric[at] ? "number" : null }, heading.replace(/^>/, ""))))), body)),
  rest > 0 ? el("button", { type: "button", class: "more", onclick: all }, `${rest.toLocaleString("en")} more ${rest === 1 ? "row" : "rows"}`) : null];
}
