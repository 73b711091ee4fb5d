// What all interactive pages are made of: controls, numbers as people read them, a small line, and the one table.
// What is typed is kept by who shows a control: `value` and `set`.

import { html, render, useEffect, useReducer, useRef, useState } from "./preact.js";

export function yuan(amount, digits = 0) {
  if (amount == null) return "–";
  const shown = Math.abs(amount).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${amount < 0 ? "-" : ""}¥${shown}`;
}

export function count(number) {
  return number.toLocaleString("en");
}

// "1 product", "2,000 products".
export function counted(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

export function percent(share, digits = 0) {
  return `${(100 * share).toFixed(digits)}%`;
}

const [WIDTH, HEIGHT] = [120, 30]; // of a small line

// A form that gives to `act` what was typed, by name, when its button is pressed.
/** @param {Record<string, any>} props */
export function Form({ label, act, children, ...more }) {
  const submit = (event) => {
    event.preventDefault();
    act(Object.fromEntries(new FormData(event.target)));
  };
  return html`<form onSubmit=${submit} ...${more}>${children}<button type="submit">${label}</button></form>`;
}

// An input with its label; further properties are the input's. `after` stands behind it. Without `set` a form asks it.
/** @param {Record<string, any>} props */
export function Field({ label = "", set = null, type = "number", after = "", ...more }) {
  const input = html`<input type=${type} onInput=${set && ((event) => set(event.target.value))} ...${more} />`;
  return label ? html`<label>${label} ${input}${after}</label>` : input;
}

// `choices` are values, or pairs of a value and its text.
/** @param {Record<string, any>} props */
export function Choice({ label = "", choices, set = null, ...more }) {
  const pairs = choices.map((each) => (Array.isArray(each) ? each : [each, each]));
  const select = html`<select onChange=${set && ((event) => set(event.target.value))} ...${more}>
    ${pairs.map(([name, text]) => html`<option key=${name} value=${name}>${text}</option>`)}</select>`;
  return label ? html`<label>${label} ${select}</label>` : select;
}

export function Tick({ label, on, set }) {
  return html`<label><input type="checkbox" checked=${on} onChange=${(event) => set(event.target.checked)} /> ${label}
    </label>`;
}

/** @param {Record<string, any>} props */
export function Button({ label, act, ...more }) {
  return html`<button type="button" onClick=${act} ...${more}>${label}</button>`;
}

// A button that asks once: `question` stands beside the buttons that do it and leave it. The focus follows.
/** @param {Record<string, any>} props */
export function Confirm({ label, question, yes = "", act = null, no = "Leave it", children = null, ...more }) {
  const [asking, ask] = useState(null); // null: it has never asked
  const box = useRef(null);
  useEffect(() => { if (asking != null) box.current.querySelector("button").focus(); }, [asking]);
  const confirmed = () => { ask(false); act(); };
  if (!asking) return html`<span ref=${box}><${Button} label=${label} ...${more}
    act=${() => more["aria-disabled"] || ask(true)} /></span>`;
  return html`<span ref=${box} class="row ask" role="alertdialog" aria-label="Are you sure?"
    onKeyDown=${(event) => event.key === "Escape" && ask(false)}>${question}
    ${yes && html` <${Button} class="primary" label=${yes} act=${confirmed} />`} ${children}
    <${Button} label=${no} act=${() => ask(false)} /></span>`;
}

// Words that can be opened by a click, a tap or a key: what they mean stands below.
export function Hint({ words, children }) {
  return html`<details class="hint"><summary class="link">${words}</summary><small role="note">${children}</small>
    </details>`;
}

// A line without axes, for twelve months or a few weeks; its figures are in its label.
export function Sparkline({ values, label, marked = null }) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (at) => 3 + (at / Math.max(1, values.length - 1)) * (WIDTH - 6);
  const y = (value) => HEIGHT - 4 - ((value - low) / span) * (HEIGHT - 8);
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  return html`<svg class="sparkline" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}>
    <title>${label}</title><polyline points=${points} />
    ${marked != null && html`<circle cx=${x(marked)} cy=${y(values[marked])} r="3" />`}</svg>`;
}

// The table of all pages: sorted by a click on a head, filtered by a search, rows selected by boxes.
// On a phone each row of the board is a card: its cells carry the titles of their columns.

const TABLES = /** @type {any} */ (globalThis).TABLES ?? {}; // as `tables.toml` declares them
const PAGE = innerWidth > 640 ? 50 : 20; // rows that are shown at first; on a phone each is a card
const FILTERED_FROM = 9; // rows; fewer are seen at a glance
const AMOUNT = /^([-–−+]?)¥?([\d,]+(?:\.\d+)?)(k?)(?=$|[\s%×†‡])/;
const NONE = "–";
const UNSORTED = { key: null, falling: false };
const FORMATS = { count, percent, yuan, money: (value) => yuan(value, 2), text: (value) => value,
  rate: (value) => value.toFixed(1), day: (value) => `day ${value}`,
  figure: (value) => value.toLocaleString("en", { maximumFractionDigits: 2 }) };

// A value that is sorted by `value` and shown as `text`, in red if it is `bad`.
/** @param {any} [bad] */
export function cell(value, text, bad = false) {
  return { value, text, bad };
}

// A column as it is declared, "key | title | kind | hint", or as an object with functions: `value(row)` sorts,
// `cell(row)` is shown, `classOf(row)` is the class of its cell. One whose kind ends in ? is left out while no row has
// a value.
function columnOf(declared, cells) {
  if (typeof declared !== "string") return declared;
  const [key, title, kind = "text", hint] = declared.split("|").map((part) => part.trim());
  const name = kind.replace("?", "");
  return { key, title, hint, optional: name !== kind, numeric: name !== "text", format: FORMATS[name],
    cell: cells[key] };
}

// `table` names one that is declared; further `columns` stand behind its own, and `cells` show some in another way.
// `keyOf` gives the key of a row, or names it. `selected` is a Set of keys with `select(next)`, where rows can be
// ticked. `choose(row)` opens a row. `box` is the class of a box in which the table scrolls.
/** @param {Record<string, any>} props */
export function DataGrid({ table = "", label = table, columns = [], cells = {}, rows, keyOf = null, selected = null,
  select, choose = null, empty = "Nothing yet.", search = true, order = UNSORTED, page = PAGE, box = "" }) {
  const [sort, setSort] = useState(order);
  const [wanted, setWanted] = useState("");
  const [shown, setShown] = useState(page);
  const told = TABLES[table] ?? { columns: [] };
  if (!rows.length) return html`<p class="muted empty">${told.empty ?? empty}</p>`;
  const key = keyOf ?? told.key;
  const keyed = typeof key === "function" ? key : (row) => (key ? row[key] : rows.indexOf(row));
  const used = [...told.columns, ...columns].map((each) => columnOf(each, cells))
    .filter((each) => !each.optional || each.cell || rows.some((row) => hasValue(row[each.key])));
  const column = used.find((each) => each.key === sort.key);
  const matching = rows.filter((row) => textOf(row, used).includes(wanted.toLowerCase()));
  const ordered = column
    ? matching.toSorted((a, b) => compared(valueOf(column, a), valueOf(column, b), sort.falling)) : matching;
  const all = selected && matching.length > 0 && matching.every((row) => selected.has(keyed(row)));
  const toggle = (keys, on) => {
    const next = new Set(selected);
    for (const each of keys) next[on ? "add" : "delete"](each);
    select(next);
  };
  const tickAll = (event) => toggle(matching.map(keyed), event.target.checked);
  const sortBy = (each) => setSort(turned(sort, each, rows));
  const left = ordered.length - shown;
  const drawn = html`<table class="data-grid" aria-label=${label}>
    <thead><tr>
      ${selected && html`<th scope="col"><input type="checkbox" checked=${all} onChange=${tickAll}
        aria-label=${`Select all ${counted(matching.length, "row")}`} /></th>`}
      ${used.map((each) => html`<th scope="col" key=${each.key} class=${each.numeric ? "num" : ""}
        aria-sort=${sort.key !== each.key ? "none" : sort.falling ? "descending" : "ascending"}>
        ${each.title && html`<button type="button" class="sort" title=${each.hint} onClick=${() => sortBy(each)}>
          ${each.title}</button>`}</th>`)}
    </tr></thead>
    <tbody>${ordered.slice(0, shown).map((row) => html`<tr key=${keyed(row)}
      class=${selected?.has(keyed(row)) ? "selected" : row.className}>
      ${selected && html`<td class="box"><input type="checkbox" checked=${selected.has(keyed(row))}
        aria-label=${`Select ${textOf(row, used.slice(0, 1))}`}
        onChange=${(event) => toggle([keyed(row)], event.target.checked)} /></td>`}
      ${used.map((each, at) => html`<td key=${each.key} data-title=${each.title}
        class=${each.classOf?.(row) ?? (each.numeric ? "num" : "")}>
        ${at === 0 && choose ? html`<button type="button" class="link" onClick=${() => choose(row)}>
          ${shownOf(each, row)}</button>` : shownOf(each, row)}</td>`)}
    </tr>`)}</tbody></table>`;
  return html`<div class="grid-box">
    ${search && rows.length >= FILTERED_FROM && html`<div class="filters">
      <input type="search" class="seek" placeholder="Search" aria-label=${`Search ${label}`} value=${wanted}
        onInput=${(event) => setWanted(event.target.value)} />
      <label class="sorting">Sort by <select value=${sort.key ?? ""}
        onChange=${(event) => sortBy(used.find((each) => each.key === event.target.value) ?? UNSORTED)}>
        <option value="">–</option>${used.filter((each) => each.title)
          .map((each) => html`<option value=${each.key}>${each.title}</option>`)}</select></label>
      ${selected && html`<label class="sorting"><input type="checkbox" checked=${all} onChange=${tickAll} /> tick all
        </label>`}
      <span class="muted" role="status">${count(matching.length)} of ${count(rows.length)}</span></div>`}
    ${box ? html`<div class=${box} tabindex="0" role="group" aria-label=${label}>${drawn}</div>` : drawn}
    ${left > 0 && html`<button type="button" class="more" onClick=${() => setShown(shown + PAGE)}>
      Show more (${count(left)} left)</button>`}</div>`;
}

// A table of a static page becomes a DataGrid with the same cells; without scripts it stays as it is written.
export function upgrade(table) {
  const columns = [...table.tHead.rows[0].cells].map((head, at) => ({ key: String(at), title: head.textContent.trim(),
    numeric: head.className === "number", value: (row) => row.values[at], cell: (row) => row.cells[at],
    classOf: (row) => row.classes[at] }));
  const rows = [...table.tBodies[0].rows].map((row) => ({ className: row.className,
    values: [...row.cells].map((each) => amountOf(each.dataset.value ?? each.textContent.trim())),
    classes: [...row.cells].map((each) => each.className),
    cells: [...row.cells].map((each) => html`<span dangerouslySetInnerHTML=${{ __html: each.innerHTML }} />`) }));
  const box = table.closest(".scroll, .tall");
  const place = document.createElement("div");
  (box ?? table).replaceWith(place);
  render(html`<${DataGrid} label=${box?.getAttribute("aria-label") ?? "the table"} columns=${columns} rows=${rows}
    box=${box?.className} />`, place);
}

const hasValue = (value) => (value?.text ? value.text !== NONE : value);

// A part of a page that the server has drawn.
export function Part({ html: drawn, ...more }) {
  const place = useRef(null);
  useEffect(() => place.current.querySelectorAll("table.sortable").forEach(upgrade), [drawn]);
  return html`<div class="part" ref=${place} dangerouslySetInnerHTML=${{ __html: drawn }} ...${more}></div>`;
}

// What a cell of text is sorted by: a number where it begins with one.
export function amountOf(text) {
  const [, sign, digits, thousands] = AMOUNT.exec(text) ?? [];
  if (!digits) return [NONE, "-"].includes(text) ? null : text;
  return (/[-–−]/.test(sign) ? -1 : 1) * (thousands ? 1000 : 1) * Number(digits.replaceAll(",", ""));
}

function valueOf(column, row) {
  const value = column.value ? column.value(row) : row[column.key];
  return value?.text === undefined ? value : value.value;
}

function shownOf(column, row) {
  if (column.cell) return column.cell(row);
  const value = row[column.key];
  if (value?.text !== undefined) return html`<span class=${value.bad ? "bad" : ""}>${value.text}</span>`;
  return value == null ? NONE : column.format(value);
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

export { html, render, useEffect, useReducer, useRef, useState };
