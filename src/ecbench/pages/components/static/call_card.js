// A tool call and its reply as they were rendered for people: blocks are drawn here, never formatted; the JSON one
// click away.

import { count, counted } from "./format.js";
import { html, useState } from "./preact.js";

const FIRST_ROWS = 8;
const WIDE = 16; // characters from which a cell needs a wide column
const LONGEST = 20000; // characters of a JSON text that are shown

// `view` is a ReplyView: sentence, whether something was refused, blocks. `raw` gives the texts of call and reply once
// they are asked for; `whole` is the address of the turn as it is recorded.
/** @param {Record<string, any>} props */
export function CallCard({ title, notes = [], view: [sentence, failed, blocks], raw, whole = "", open = false }) {
  const [texts, show] = useState([]);
  const toggled = async (event) => { if (event.target.open && !texts.length) show(await raw()); };
  return html`<div class="call card">
    <h3><b>${title}</b>${notes.map((note) => html`<span class="muted">${note}</span>`)}</h3>
    <p class=${failed ? "sentence bad" : "sentence"}>${sentence}</p>
    ${blocks.map((block) => html`<${Block} block=${block} />`)}
    <details class="raw" open=${open} onToggle=${toggled}><summary>Raw call and reply</summary>
      ${texts.map((text) => html`<pre>${pretty(text)}</pre>`)}
      ${whole && texts.length > 0 && html`<a href=${whole} target="_blank" rel="noopener">
        The whole turn as it is recorded</a>`}</details></div>`;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 1).slice(0, LONGEST);
  } catch {
    return text.slice(0, LONGEST); // it was cut
  }
}

function Block({ block: [kind, title, columns, rows, leftOut] }) {
  const Drawn = { facts: Facts, notes: Notes, letter: Letter, table: Rows }[kind];
  return html`<div class="block">${title && html`<span class="muted">${title}</span>`}
    <${Drawn} rows=${rows} columns=${columns} title=${title} />
    ${leftOut > 0 && html`<p class="muted">${count(leftOut)} more</p>`}</div>`;
}

function Facts({ rows }) {
  return html`<ul class="facts">${rows.map(([label, value]) => html`<li><span class="muted">${label}</span> ${value}
    </li>`)}</ul>`;
}

function Notes({ rows }) {
  return html`<ul class="news">${rows.map(([text]) => html`<li>${text}</li>`)}</ul>`;
}

function Letter({ rows: [[words], ...actions] }) {
  return html`<div class="quote">${words}
    ${actions.length > 0 && html`<ul class="actions">${actions.map(([action]) => html`<li>${action}</li>`)}</ul>`}
    </div>`;
}

function Rows({ rows, columns, title }) {
  const [all, showAll] = useState(false);
  const numeric = columns.map((heading) => heading.startsWith(">"));
  const rest = rows.length - FIRST_ROWS;
  const kind = (text, at) => (numeric[at] ? "num number" : text.length > WIDE ? "wide" : null);
  return html`<div class="sideways" tabindex="0" role="group" aria-label=${title || "rows"}><table>
    <thead><tr>${columns.map((heading, at) => html`<th scope="col" class=${numeric[at] ? "number" : null}>
      ${heading.replace(/^>/, "")}</th>`)}</tr></thead>
    <tbody>${(all ? rows : rows.slice(0, FIRST_ROWS))
      .map((row) => html`<tr>${row.map((text, at) => html`<td class=${kind(text, at)}>${text}</td>`)}</tr>`)}</tbody>
    </table></div>
    ${rest > 0 && !all && html`<button type="button" class="more" onClick=${() => showAll(true)}>
      ${counted(rest, "more row")}</button>`}`;
}
