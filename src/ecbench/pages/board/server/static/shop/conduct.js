// Where the rules count conduct: the platform's terms, what a player can state, and the ledger once the year is over.

import { html } from "../../../../components/static/preact.js";
import { counted, yuan } from "../../../../components/static/format.js";
import { DataGrid, money } from "../../../../components/static/table.js";
import { ActionButton } from "./action_button.js";
import { useKept } from "./hooks.js";

const plain = (text) => text.replaceAll("`", "").replaceAll("_", " ");
const titled = (name) => plain(name).replace(/^./, (letter) => letter.toUpperCase());

// In full on the first day, and at a click later.
export function PlatformTerms({ store }) {
  if (!store.terms.conduct || !store.year.own) return null;
  return html`<section class="panel" aria-label="Terms"><details open=${store.day === 0}><summary>
    The platform's terms and the owner</summary>
    ${store.terms.conduct.split("\n\n").map((text, at) => html`<${Paragraph} key=${at} text=${text} />`)}</details>
    </section>`;
}

function Paragraph({ text }) {
  if (text.startsWith("## ")) return html`<h2>${text.slice(3)}</h2>`;
  const lines = text.split("\n");
  const items = lines.filter((line) => line.startsWith("- "));
  const words = lines.filter((line) => !line.startsWith("- "));
  return html`${words.length ? html`<p>${plain(words.join(" "))}</p>` : null}
    ${items.length ? html`<ul>${items.map((line) => html`<li key=${line}>${plain(line.slice(2))}</li>`)}</ul>` : null}`;
}

// A form for each tool that states figures.
export function Statements({ store }) {
  return store.terms.statements.map((form) => html`<${Statement} key=${form.tool} store=${store} form=${form} />`);
}

function Statement({ store, form }) {
  const [typed, keep] = useKept(store, form.tool, {});
  const names = Object.keys(form.fields);
  const complete = names.every((name) => (typed[name] ?? "") !== "");
  const call = { name: form.tool, arguments: Object.fromEntries(names.map((name) => [name, Number(typed[name])])) };
  return html`<section class="panel" aria-label=${titled(form.tool)}><details><summary>${titled(form.tool)}</summary>
    <p class="muted">${form.about}</p>
    <div class="row">${names.map((name) => html`<label key=${name} title=${form.fields[name]}>${titled(name)}${" "}
      <input type="number" step="any" value=${typed[name] ?? ""}
      onInput=${(event) => keep({ ...typed, [name]: event.target.value })} /></label>`)}
      <${ActionButton} store=${store} label="Send" disabled=${!complete} calls=${[call]} done=${() => keep({})} /></div>
    </details></section>`;
}

// What a bid may claim: the quote of another supplier of the same goods, or a volume that will be ordered.
export function ClaimFields({ store, emails, row, draft, set }) {
  const category = store.known.product.get(row.sku)?.category;
  const suppliers = [...store.known.supplier.values()].filter((each) => each.supplier_name
    && !emails.includes(each.supplier_email) && (!category || each.categories_served.includes(category)));
  const number = (name, label) => html`<label>${label} <input type="number" min="0.01" step="any"
    aria-label=${`${label} of the claim for ${row.title}`} value=${draft[name] ?? ""}
    onInput=${(event) => set({ [name]: event.target.value })} /></label>`;
  return html`<div class="row"><label>Claim <select value=${draft.claim ?? ""}
      aria-label=${`Claim for ${row.title}`} onChange=${(event) => set({ claim: event.target.value })}>
      <option value="">none</option><option value="rival_quote">another supplier's quote</option>
      <option value="volume">a volume to come</option></select></label>
    ${draft.claim === "rival_quote" ? html`<label>of <select value=${draft.rival ?? ""}
      aria-label=${`Supplier of the claim for ${row.title}`} onChange=${(event) => set({ rival: event.target.value })}>
      <option value="">choose</option>${suppliers.map((each) => html`<option key=${each.supplier_email}
      value=${each.supplier_email}>
      ${each.supplier_name}</option>`)}</select></label>${number("rivalPrice", "price ¥")}` : null}
    ${draft.claim === "volume" ? html`${number("volume", "units")}${number("days", "days")}` : null}</div>`;
}

// The claim of a draft as a field of its offer; nothing while something is missing.
export function claimOf(draft) {
  const [price, units, days] = [draft.rivalPrice, draft.volume, draft.days].map(Number);
  if (draft.claim === "rival_quote" && draft.rival && price) return { claim: { rival_quote: { supplier: draft.rival,
    price } } };
  return draft.claim === "volume" && units && days ? { claim: { volume: { units, days } } } : {};
}

const figure = (value) => (value == null ? "–" : value.toLocaleString("en", { maximumFractionDigits: 2 }));
const LEDGER = [
  { key: "day", title: "Day", numeric: true },
  { key: "kind", title: "What", value: (row) => plain(row.kind) },
  { key: "about", title: "About", value: (row) => plain(row.about) },
  { key: "stated", title: "Stated", numeric: true, hint: "Of a breach: what the rule allows",
    cell: (row) => figure(row.stated) },
  { key: "truth", title: "True", numeric: true, cell: (row) => figure(row.truth) },
  { key: "verdict", title: "Verdict", cell: (row) => html`<span class=${isWrong(row) ? "bad" : ""}>${row.verdict}
    </span>` },
  money("gain", "Gain"),
];

export function ConductLedger({ entries }) {
  if (!entries.length) return null;
  const wrong = entries.filter(isWrong);
  const gained = wrong.reduce((sum, row) => sum + row.gain, 0);
  return html`<section class="panel" aria-label="Conduct"><h1>Conduct</h1><p>
    ${counted(entries.length, "statement, promise or breach", "statements, promises and breaches")},
    ${` ${wrong.length} false or broken, which gained ${yuan(gained)}.`}</p>
    <${DataGrid} label="ledger of conduct" columns=${LEDGER} rows=${entries} keyOf=${(row) => row.entry} /></section>`;
}

function isWrong(row) {
  return row.verdict === "false" || row.verdict === "broken";
}
