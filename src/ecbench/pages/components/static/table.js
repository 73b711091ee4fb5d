// The table of interactive pages: sorted by a click on a head, filtered by a search, rows selected by boxes.
// On a phone each row is a card: its cells carry the titles of their columns.

import { counted, yuan } from "./format.js";
import { html, useState } from "./preact.js";

const PAGE = 100; // rows that are shown at first
const FILTERED_FROM = 9; // rows; fewer are seen at a glance

// A column is { key, title, value, cell, numeric, hint }: `value(row)` sorts, `cell(row)` is shown (the value if
// absent).
// `selected` is a Set of keys with `select(next)`, where rows can be chosen. `choose(row)` opens a row.
/** @param {Record<string, any>} props */
export function DataGrid({ label, columns, rows, keyOf, selected = null, select, choose = null, empty = "Nothing yet.",
  search = true, order = null }) {
  const [sort, setSort] = useState(order ?? { key: null, falling: false });
  const [wanted, setWanted] = useState("");
  const [shown, setShown] = useState(PAGE);
  if (!rows.length) return html`<p class="muted empty">${empty}</p>`;
  const column = columns.find((each) => each.key === sort.key);
  const matching = wanted ? rows.filter((row) => textOf(row, columns).includes(wanted.toLowerCase())) : rows;
  const ordered = column ? [...matching].sort((a, b) => compared(valueOf(column, a), valueOf(column, b), sort.falling))
    : matching;
  const page = ordered.slice(0, shown);
  const all = selected && matching.length > 0 && matching.every((row) => selected.has(keyOf(row)));
  const toggle = (keys, on) => {
    const next = new Set(selected);
    for (const key of keys) next[on ? "add" : "delete"](key);
    select(next);
  };
  const tickAll = (event) => toggle(matching.map(keyOf), event.target.checked);
  return html`<div class="grid-box">
    ${search && rows.length >= FILTERED_FROM ? html`<div class="filters">
      <input type="search" class="seek" placeholder="Search" aria-label=${`Search ${label}`} value=${wanted}
        onInput=${(event) => setWanted(event.target.value)} />
      <label class="sorting">Sort by <select value=${sort.key ?? ""}
        onChange=${(event) => setSort(next(sort, columns.find((each) => each.key === event.target.value)
        ?? { key: null }))}>
        <option value="">–</option>${columns.filter((each) => each.title)
          .map((each) => html`<option value=${each.key}>${each.title}</option>`)}</select></label>
      ${selected ? html`<label class="sorting"><input type="checkbox" checked=${all} onChange=${tickAll} /> tick all
        </label>` : null}
      <span class="muted" role="status">${matching.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")}
        </span>
    </div>` : null}
    <table class="data-grid" aria-label=${label}>
      <thead><tr>
        ${selected ? html`<th scope="col">
          <input type="checkbox" aria-label=${`Select all ${counted(matching.length, "row")}`} checked=${all}
          onChange=${tickAll} /></th>` : null}
        ${columns.map((each) => html`<th scope="col" key=${each.key} class=${each.numeric ? "num" : ""}
          aria-sort=${sort.key !== each.key ? "none" : sort.falling ? "descending" : "ascending"}>
          ${each.title ? html`<button type="button" class="sort" title=${each.hint}
            onClick=${() => setSort(next(sort, each))}>${each.title}</button>` : null}</th>`)}
      </tr></thead>
      <tbody>
        ${page.map((row) => html`<tr key=${keyOf(row)} class=${selected?.has(keyOf(row)) ? "selected" : ""}>
          ${selected ? html`<td class="box">
            <input type="checkbox" aria-label=${`Select ${textOf(row, columns.slice(0, 1))}`}
            checked=${selected.has(keyOf(row))} onChange=${(event) => toggle([keyOf(row)], event.target.checked)} />
            </td>` : null}
          ${columns.map((each, at) => html`<td key=${each.key} data-title=${each.title} class=${each.numeric ? "num"
            : ""}>
            ${at === 0 && choose ? html`<button type="button" class="link" onClick=${() => choose(row)}>
              ${shownOf(each, row)}</button>` : shownOf(each, row)}</td>`)}
        </tr>`)}
      </tbody>
    </table>
    ${ordered.length > shown ? html`<button type="button" class="more" onClick=${() => setShown(shown + PAGE)}>
      Show more (${(ordered.length - shown).toLocaleString("en")} left)</button>` : null}
  </div>`;
}

// A column of yuan with two digits, or with as many as `more` says.
/** @type {(key: string, title: string, more?: Record<string, any>) => Record<string, any>} */
export function money(key, title, { digits = 2, ...more } = {}) {
  return { key, title, numeric: true, cell: (row) => yuan(more.value ? more.value(row) : row[key], digits), ...more };
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

// Numbers fall at first and texts rise; a second click turns the order round.
function next(sort, { key, numeric }) {
  return sort.key === key ? { key, falling: !sort.falling } : { key, falling: Boolean(numeric) };
}

// What is missing comes last, whatever the order.
function compared(one, two, falling) {
  const [noOne, noTwo] = [one, two].map((value) => value == null || value === "");
  if (noOne || noTwo) return Number(noOne) - Number(noTwo);
  const order = typeof one === "number" && typeof two === "number" ? one - two : String(one).localeCompare(String(two),
    "en", { numeric: true });
  return falling ? -order : order;
}
