// A tool call and its reply for people: letters as letters, lists as tables, figures with their names; the JSON one click away.

import { el, put, yuan } from "./dom.js";
import { readJson } from "./lenient_json.js";
import { letterParts, titleOf } from "./letter.js";

const FIRST_ROWS = 8;
const LONG = 80; // characters from which a text stands by itself
const WIDE = 16; // characters from which a cell needs a wide column
const SILENT = new Set(["current_time", "success", "message"]);
const MONEY = /price|balance|cost|fee|charged|revenue|wallet|settlement|value|withdrawn|refund|amount|spend/;

// `title` and `notes` stand at its head. `given` and `reply` are JSON texts, which may be cut, or values.
export function callCard({ title, notes = [], tool, given, reply, error = "", more = null }) {
  const [asked, answered] = [given, reply].map((part) => (typeof part === "string" ? readJson(part) : { value: part, whole: true }));
  const failed = error || (isObject(answered.value) && answered.value.error) || "";
  const raw = [asked.value, answered.value].map((value) => el("pre", {}, typeof value === "string" ? value : JSON.stringify(value, null, 1)));
  return el("div", { class: "call card" },
    el("h3", {}, el("b", {}, title), notes.map((note) => el("span", { class: "muted" }, note)), failed ? el("span", { class: "bad" }, text(failed)) : null),
    el("div", { class: "asked" }, tool === "chatbox" ? letter(asked.value) : parts(asked.value)), asked.whole ? null : cut(),
    el("div", { class: "answered" }, failed && !isObject(failed) ? null : parts(answered.value)), answered.whole ? null : cut(),
    el("details", { class: "raw" }, el("summary", {}, "raw"), raw, more));
}

function cut() {
  return el("p", { class: "muted" }, "… the rest is cut");
}

function letter(given) {
  if (!isObject(given) || typeof given.content !== "string") return parts(given);
  return [el("div", { class: "muted" }, `to ${[given.uids ?? given.uid].flat().join(", ")}`), el("div", { class: "quote" }, letterParts(given.content))];
}

// Figures in one line; texts, lists and objects below it, each under its name.
function parts(value) {
  if (!isObject(value)) return value == null || value === "" ? [] : Array.isArray(value) ? [list(value)] : [el("div", { class: "quote" }, letterParts(String(value)))];
  const facts = [];
  const below = [];
  for (const [name, part] of Object.entries(value)) {
    if (SILENT.has(name) || part == null || part === "" || (typeof part === "object" && !Object.keys(part).length)) continue;
    if (name === "system_notifications") below.push(news(part));
    else if (typeof part === "string" && part.length > LONG) below.push(el("div", { class: name === "supplier_reply" ? "quote" : "quote thought" }, letterParts(part)));
    else if (typeof part !== "object" || isPlainList(part)) facts.push([el("span", { class: "muted" }, label(name)), ` ${text(part, name)}`]);
    else if (isObject(part) && !Object.values(part).every(isObject)) below.push(el("div", { class: "nested" }, el("span", { class: "muted" }, label(name)), parts(part)));
    else below.push(list(part, name));
  }
  return [facts.length ? el("ul", { class: "facts" }, facts.map((fact) => el("li", {}, fact))) : null, below];
}

function news(days) {
  const items = (Array.isArray(days) ? days : []).flatMap((day) => (day.news ?? []).map((item) => `${day.date ?? ""} ${item.content ?? text(item)}`.trim()));
  return el("ul", { class: "news" }, items.map((item) => el("li", {}, item)));
}

// Rows of the same kind as a table, whether they stand in a list or under names.
function list(rows, name = "") {
  const named = !Array.isArray(rows);
  const known = (named ? Object.entries(rows) : rows.map((row) => ["", row])).filter(([, row]) => !row?.left_out);
  const leftOut = named ? 0 : rows.at(-1)?.left_out ?? 0;
  const columns = [...new Set(known.flatMap(([, row]) => (isObject(row) ? Object.keys(row) : [""])))];
  const heads = [...(named ? [""] : []), ...columns];
  const cell = (value, column) => {
    const shown = text(value, column);
    return el("td", { class: typeof value === "number" ? "num number" : shown.length > WIDE ? "wide" : null }, shown);
  };
  const line = ([key, row]) => el("tr", {}, named ? cell(key, "sku") : null, columns.map((column) => cell(isObject(row) ? row[column] : row, column)));
  const body = el("tbody", {}, known.slice(0, FIRST_ROWS).map(line));
  const rest = known.length - FIRST_ROWS;
  const all = rest > 0 ? el("button", { type: "button", class: "more", onclick: (event) => { put(body, known.map(line)); event.target.remove(); } }, `${rest.toLocaleString("en")} more ${rest === 1 ? "row" : "rows"}`) : null;
  const title = `${label(name)}${name ? ", " : ""}${(known.length + leftOut).toLocaleString("en")} ${known.length + leftOut === 1 ? "row" : "rows"}`;
  return el("div", { class: "rows" }, el("span", { class: "muted" }, title),
    el("div", { class: "sideways", tabindex: "0", role: "region", "aria-label": label(name) || "rows" }, el("table", {}, el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, label(head))))), body)),
    all, leftOut ? el("p", { class: "muted" }, `${leftOut.toLocaleString("en")} more are not shown`) : null);
}

function text(value, name = "") {
  if (value == null || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && /(^|_)(id|day|turn)$/.test(name)) return String(value);
  if (typeof value === "number") return MONEY.test(name) || name === "total" ? yuan(value, 2) : value.toLocaleString("en", { maximumFractionDigits: 2 });
  if (typeof value === "string") return /sku|product_id/.test(name) ? titleOf(value) : /^[a-z]+(_[a-z]+)+$/.test(value) ? value.replaceAll("_", " ") : value;
  if (Array.isArray(value)) return value.map((part) => text(part, name)).reduce((all, part) => (all ? `${all}${/[.!?]$/.test(all) ? " " : ", "}${part}` : part), "");
  return Object.entries(value).map(([key, part]) => `${label(key)} ${text(part, key)}`).join("; ");
}

function label(name) {
  return name.replaceAll("_", " ");
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isPlainList(value) {
  return Array.isArray(value) && value.every((part) => part === null || typeof part !== "object");
}
