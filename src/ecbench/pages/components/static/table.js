// The table of all pages: sorted by a click on a head, filtered by a search, rows selected by boxes.
// On a phone each row of the board is a card: its cells carry the titles of their columns.

import { count, counted, yuan } from "./format.js";
import { html, render, useState } from "./preact.js";

const PAGE = innerWidth > 640 ? 50 : 20; // rows that are shown at first; on a phone each is a card
const FILTERED_FROM = 9; // rows; fewer are seen at a glance
const AMOUNT = /^([-–−+]?)¥?([\d,]+(?:\.\d+)?)(k?)(?=$|[\s%×†‡])/;
const UNSORTED = { key: null, falling: false };

// A column is { key, title, value, cell, numeric, hint, classOf }: `value(row)` sorts, `cell(row)` is shown (the value
// if absent). `selected` is a Set of keys with `select(next)`, where rows can be ticked. `choose(row)` opens a row.
// `box` is the class of a box in which the table scrolls.
/** @param {Record<string, any>} props */
export function DataGrid({ label, columns, rows, keyOf, selected = null, select, choose = null, empty = "Nothing yet.",
  search = true, order = UNSORTED, box = "" }) {
  const [sort, setSort] = useState(order);
  const [wanted, setWanted] = useState("");
  const [shown, setShown] = useState(PAGE);
  if (!rows.length) return html`<p class="muted empty">${empty}</p>`;
  const column = columns.find((each) => each.key === sort.key);
  const matching = rows.filter((row) => textOf(row, columns).includes(wanted.toLowerCase()));
  const ordered = column
    ? matching.toSorted((a, b) => compared(valueOf(column, a), valueOf(column, b), sort.falling)) : matching;
  const all = selected && matching.length > 0 && matching.every((row) => selected.has(keyOf(row)));
  const toggle = (keys, on) => {
    const next = new Set(selected);
    for (const key of keys) next[on ? "add" : "delete"](key);
    select(next);
  };
  const tickAll = (event) => toggle(matching.map(keyOf), event.target.checked);
  const sortBy = (each) => setSort(turned(sort, each, rows));
  const left = ordered.length - shown;
  const table = html`<table class="data-grid" aria-label=${label}>
    <thead><tr>
      ${selected && html`<th scope="col"><input type="checkbox" checked=${all} onChange=${tickAll}
        aria-label=${`Select all ${counted(matching.length, "row")}`} /></th>`}
      ${columns.map((each) => html`<th scope="col" key=${each.key} class=${each.numeric ? "num" : ""}
        aria-sort=${sort.key !== each.key ? "none" : sort.falling ? "descending" : "ascending"}>
        ${each.title && html`<button type="button" class="sort" title=${each.hint} onClick=${() => sortBy(each)}>
          ${each.title}</button>`}</th>`)}
    </tr></thead>
    <tbody>${ordered.slice(0, shown).map((row) => html`<tr key=${keyOf(row)}
      class=${selected?.has(keyOf(row)) ? "selected" : row.className}>
      ${selected && html`<td class="box"><input type="checkbox" checked=${selected.has(keyOf(row))}
        aria-label=${`Select ${textOf(row, columns.slice(0, 1))}`}
        onChange=${(event) => toggle([keyOf(row)], event.target.checked)} /></td>`}
      ${columns.map((each, at) => html`<td key=${each.key} data-title=${each.title}
        class=${each.classOf?.(row) ?? (each.numeric ? "num" : "")}>
        ${at === 0 && choose ? html`<button type="button" class="link" onClick=${() => choose(row)}>
          ${shownOf(each, row)}</button>` : shownOf(each, row)}</td>`)}
    </tr>`)}</tbody></table>`;
  return html`<div class="grid-box">
    ${search && rows.length >= FILTERED_FROM && html`<div class="filters">
      <input type="search" class="seek" placeholder="Search" aria-label=${`Search ${label}`} value=${wanted}
        onInput=${(event) => setWanted(event.target.value)} />
      <label class="sorting">Sort by <select value=${sort.key ?? ""}
        onChange=${(event) => sortBy(columns.find((each) => each.key === event.target.value) ?? UNSORTED)}>
        <option value="">–</option>${columns.filter((each) => each.title)
          .map((each) => html`<option value=${each.key}>${each.title}</option>`)}</select></label>
      ${selected && html`<label class="sorting"><input type="checkbox" checked=${all} onChange=${tickAll} /> tick all
        </label>`}
      <span class="muted" role="status">${count(matching.length)} of ${count(rows.length)}</span></div>`}
    ${box ? html`<div class=${box} tabindex="0" role="group" aria-label=${label}>${table}</div>` : table}
    ${left > 0 && html`<button type="button" class="more" onClick=${() => setShown(shown + PAGE)}>
      Show more (${count(left)} left)</button>`}</div>`;
}

// A table of a static page becomes a DataGrid with the same cells; without scripts it stays as it is written.
export function upgrade(table) {
  const columns = [...table.tHead.rows[0].cells].map((head, at) => ({ key: String(at), title: head.textContent.trim(),
    numeric: head.className === "number", value: (row) => row.values[at], cell: (row) => row.cells[at],
    classOf: (row) => row.classes[at] }));
  const rows = [...table.tBodies[0].rows].map((row, at) => ({ at, className: row.className,
    values: [...row.cells].map((cell) => amountOf(cell.dataset.value ?? cell.textContent.trim())),
    classes: [...row.cells].map((cell) => cell.className),
    cells: [...row.cells].map((cell) => html`<span dangerouslySetInnerHTML=${{ __html: cell.innerHTML }} />`) }));
  const box = table.closest(".scroll, .tall");
  const place = document.createElement("div");
  (box ?? table).replaceWith(place);
  render(html`<${DataGrid} label=${box?.getAttribute("aria-label") ?? "the table"} columns=${columns} rows=${rows}
    keyOf=${(row) => row.at} box=${box?.className} />`, place);
}

// What a cell of a static page is sorted by: a number where it begins with one.
function amountOf(text) {
  const [, sign, digits, thousands] = AMOUNT.exec(text) ?? [];
  if (!digits) return ["–", "-"].includes(text) ? null : text;
  return (/[-–−]/.test(sign) ? -1 : 1) * (thousands ? 1000 : 1) * Number(digits.replaceAll(",", ""));
}

/** @typedef {(key: string, title: string, more?: Record<string, any>) => Record<string, any>} Column */

/** @type {Column} */
export function text(key, title, more = {}) {
  return { key, title, ...more };
}

/** @type {Column} */
export function number(key, title, more = {}) {
  return { key, title, numeric: true, ...more };
}

// Yuan with two digits, or with as many as `more` says.
/** @type {Column} */
export function money(key, title, { digits = 2, ...more } = {}) {
  return number(key, title, { cell: (row) => yuan(more.value ? more.value(row) : row[key], digits), ...more });
}

function valueOf(column, row) {
  return column.value ? column.value(row) : row[column.key];
}

function shownOf(column, row) {
  return column.cell ? column.cell(row) : valueOf(column, row);
}

function textOf(row, columns) {
  return columns.map((column) => String(valueOf(column, row) ?? "")).join(" ").toLowerCase();
}

// Numbers fall at first and texts rise; the second click turns the order round, the third restores it.
function turned(sort, column, rows) {
  const first = rows.some((row) => typeof valueOf(column, row) === "number");
  if (sort.key !== column.key) return { key: column.key, falling: first };
  return sort.falling === first ? { key: column.key, falling: !first } : UNSORTED;
}

// What is missing comes last, whatever the order.
function compared(one, two, falling) {
  const [noOne, noTwo] = [one, two].map((value) => value == null || value === "");
  if (noOne || noTwo) return Number(noOne) - Number(noTwo);
  const order = typeof one === "number" && typeof two === "number" ? one - two
    : String(one).localeCompare(String(two), "en", { numeric: true });
  return falling ? -order : order;
}
