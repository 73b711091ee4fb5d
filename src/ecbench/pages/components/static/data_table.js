// Tables that their reader sorts and filters. Without scripts they are the plain tables of the page.

import { el, put } from "./dom.js";

const PAGE = 150; // rows that are shown at first
const FILTERED_FROM = 9; // rows; fewer are seen at a glance
const MISSING = new Set(["", "–", "-"]);
const left = new Map(); // by the name of a table: how its reader left it, if a page makes it again

// Heads become buttons that sort. `name` identifies a table that is made again; `changed` is told which rows are shown.
/** @param {any} table @param {{ name?: string, changed?: (rows: any) => void }} options */
export function enhance(table, { name = "", changed = () => {} } = {}) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  if (rows.length < 2) return changed(rows);
  const state = left.get(name) ?? { column: -1, falling: false, wanted: "", shown: PAGE };
  if (name) left.set(name, state);
  const heads = [...table.tHead.rows[0].cells];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const count = el("span", { class: "count muted", role: "status" });
  const more = el("button", { type: "button", class: "more", onclick: () => { state.shown += PAGE; show(); } },
    "Show more");

  function show() {
    const found = ordered(rows.filter((_, place) => texts[place].includes(state.wanted)), state);
    const shown = found.slice(0, state.shown);
    body.replaceChildren(...shown);
    more.hidden = shown.length === found.length;
    count.textContent = `${found.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")}${more.hidden ? ""
      : `, the first ${state.shown.toLocaleString("en")} are listed`}`;
    heads.forEach((head, place) => head.setAttribute("aria-sort", place !== state.column ? "none" : state.falling
      ? "descending" : "ascending"));
    changed(shown);
  }

  // Numbers fall at first and texts rise; the second click turns them round, the third restores the page's order.
  function sort(column) {
    const first = rows.some((row) => typeof valueOf(row, column) === "number");
    if (state.column !== column) Object.assign(state, { column, falling: first });
    else if (state.falling === first) state.falling = !first;
    else state.column = -1;
    show();
  }

  heads.forEach((head, column) => {
    const title = [...head.childNodes];
    if (head.textContent.trim()) put(head, el("button", { type: "button", class: "sort", onclick: () => sort(column) },
      title));
  });
  const box = table.closest(".scroll, .tall") ?? table;
  if (rows.length >= FILTERED_FROM) {
    const label = box.getAttribute("aria-label") ?? "the table";
    const seek = el("input", { type: "search", class: "seek", placeholder: "Filter", "aria-label": `Filter ${label}`,
      value: state.wanted });
    seek.addEventListener("input", () => { state.wanted = seek.value.toLowerCase(); show(); });
    box.before(el("div", { class: "filters" }, seek, count));
  }
  box.after(more);
  show();
}

function ordered(rows, { column, falling }) {
  if (column < 0) return rows;
  const values = new Map(rows.map((row) => [row, valueOf(row, column)]));
  return [...rows].sort((a, b) => compared(values.get(a), values.get(b), falling));
}

// What is missing comes last, whatever the order.
function compared(one, two, falling) {
  if (one === null || two === null) return Number(one === null) - Number(two === null);
  const order = typeof one === "number" && typeof two === "number" ? one - two : String(one).localeCompare(String(two),
    "en", { numeric: true });
  return falling ? -order : order;
}

function valueOf(row, column) {
  const cell = row.cells[column];
  const text = cell?.dataset.value ?? cell?.textContent.trim() ?? "";
  if (MISSING.has(text)) return null;
  const number = /^([-–−+]?)¥?([\d,]+(?:\.\d+)?)(k?)(?=$|[\s%×†‡])/.exec(text);
  if (!number) return text;
  return (/[-–−]/.test(number[1]) ? -1 : 1) * (number[3] ? 1000 : 1) * Number(number[2].replaceAll(",", ""));
}
