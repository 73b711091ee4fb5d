// Years of a report: unpacked when they are opened, with their tables, chart, negotiations and transcript.

import { Button, cell, Choice, count, DataGrid, Field, html, Part, render, upgrade, useEffect, useState } from
  "../../components/static/kit.js";
import { YearChart } from "../../components/static/year_chart.js";

const PAGE = 150; // calls that are shown at first
const NOTHING = { seek: "", day: "", supplier: "", tool: "" };
const NEGOTIATIONS = ["goods | Goods", "supplier | Supplier", "kind | Kind", "day | Day | count", "paid | Paid | money",
  "floor | Floor | money"];

async function unpacked(id) {
  const packed = document.getElementById(id)?.textContent.trim();
  if (!packed) return null;
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

function Negotiations({ data: { rows, step, all } }) {
  const [chosen, choose] = useState(rows[0]);
  const listed = rows.map((row, at) => ({ ...row, at, paid: row.price ?? cell(null, "no deal") }));
  return html`<div><${DataGrid} label="Negotiations" columns=${NEGOTIATIONS} rows=${listed} keyOf="at" box="tall"
      choose=${(row) => choose(rows[row.at])} />
      ${step > 1 && html`<p class="muted">One in ${step} of the year's ${count(all)} negotiations.</p>`}</div>
    <figure class="offers"><h4>Offers of a negotiation</h4><${Part} html=${chosen.html} />
      <figcaption><p>${chosen.told}</p></figcaption></figure>`;
}

// `asked` is what a link set the filters to.
function Transcript({ data: { calls, longest }, asked }) {
  const [wanted, want] = useState(NOTHING);
  const [shown, show] = useState(PAGE);
  const filter = (next) => { want(next); show(PAGE); };
  useEffect(() => filter({ ...NOTHING, ...asked }), [asked]);
  const found = calls.filter((call) => matches(call, wanted));
  const names = (key) => [...new Set(calls.map((call) => call[key]).filter(Boolean))].sort();
  const field = (name) => ({ value: wanted[name], set: (value) => filter({ ...wanted, [name]: value }), class: name });
  const daysOf = ({ day, until }) => (until > day ? `Day ${day} to ${until}` : `Day ${day}`);
  return html`<div class="filters">
      <${Field} type="search" placeholder="Search the transcript" aria-label="Search the transcript"
        ...${field("seek")} />
      <${Field} min="0" placeholder="Day" aria-label="Day" ...${field("day")} />
      <${Choice} aria-label="Supplier" choices=${[["", "Every supplier"], ...names("supplier")]}
        ...${field("supplier")} />
      <${Choice} aria-label="Tool" choices=${[["", "Every tool"], ...names("tool")]} ...${field("tool")} />
      <${Button} class="clear" label="Clear" act=${() => filter(NOTHING)} /></div>
    <p class="muted count">${count(found.length)} of ${count(calls.length)} calls; texts beyond ${count(longest)}${" "}
      characters are cut</p>
    <div class="turns" tabindex="0" role="group" aria-label="Turns">
      ${found.slice(0, shown).map((call, at) => html`
        ${(at === 0 || daysOf(call) !== daysOf(found[at - 1])) && html`<h4>${daysOf(call)}</h4>`}
        <div key=${calls.indexOf(call)} dangerouslySetInnerHTML=${{ __html: call.html }} />`)}</div>
    ${found.length > shown && html`<p><${Button} label="Show more" act=${() => show(shown + PAGE)} /></p>`}`;
}

function matches(call, { seek, day, supplier, tool }) {
  return (day === "" || (call.day <= Number(day) && Number(day) <= call.until))
    && (!supplier || call.supplier === supplier) && (!tool || call.tool === tool)
    && call.html.replace(/<[^>]*>/g, " ").toLowerCase().includes(seek.toLowerCase());
}

// One promise a year: all callers wait for the same one. It gives a function that sets the filters of the transcript.
const opened = new Map();
function open(box) {
  if (!opened.has(box)) opened.set(box, fill(box, box.dataset.run));
  return opened.get(box);
}

async function fill(box, year) {
  const inside = await unpacked(`packed-${year}`);
  if (inside) box.querySelector(".inside").innerHTML = inside;
  box.querySelectorAll("table.sortable").forEach(upgrade);
  const [curve, ladders, transcript] = (await Promise.all(["curve", "ladders", "transcript"]
    .map((part) => unpacked(`${part}-${year}`)))).map((part) => JSON.parse(part ?? "null"));
  const mount = (place, part) => { if (box.querySelector(place)) render(part, box.querySelector(place)); };
  if (curve) mount(".curve .year", html`<${YearChart} year=${curve} linkOf=${(day) => `#r${year}-day-${day}`} />`);
  box.querySelector(".curve")?.classList.toggle("drawn", Boolean(curve));
  mount(".bargaining", html`<${Negotiations} data=${ladders} />`);
  const set = (asked) => mount(".transcript", transcript ? html`<${Transcript} data=${transcript} asked=${asked} />`
    : html`<p class="muted">Left out: the page would be too large. Report this run alone, or look at events.jsonl.
      </p>`);
  set({});
  return set;
}

// Links such as #r0-day-45 and #r0-supplier-NAME set the transcript to what they name.
async function follow() {
  const target = decodeURIComponent(location.hash.slice(1));
  const [, year, filter, value] = /^(r\d+)(?:-(day|supplier)-(.+)|.*)$/s.exec(target) ?? [];
  const box = /** @type {HTMLDetailsElement} */ (document.getElementById(year));
  if (!box) return;
  box.open = true;
  const set = await open(box);
  if (filter) set({ [filter]: value });
  const place = /** @type {HTMLDetailsElement} */ (filter ? box.querySelector(".transcript")
    : document.getElementById(target) ?? box);
  if (place.tagName === "DETAILS") place.open = true;
  place.scrollIntoView();
}

const folded = (kind) => /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll(`details.${kind}`)]);
const unfold = (kind) => folded(kind).forEach((box) => { box.open = true; });
document.querySelectorAll(".standings table.sortable").forEach(upgrade);
document.querySelectorAll("section.run").forEach(open);
for (const box of folded("run")) {
  box.addEventListener("toggle", () => box.open && open(box));
  if (box.open) open(box);
}
const all = document.getElementById("open-all");
if (all) Object.assign(all, { hidden: false, onclick: () => unfold("run") });
addEventListener("beforeprint", () => unfold("fold"));
addEventListener("hashchange", follow);
follow();
