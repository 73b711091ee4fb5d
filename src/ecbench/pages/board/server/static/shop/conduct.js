// Where the rules count conduct: the platform's terms, what a player can state, and the ledger once the year is over.

import { Choice, Field } from "../../../../components/static/controls.js";
import { counted, yuan } from "../../../../components/static/format.js";
import { html } from "../../../../components/static/preact.js";
import { DataGrid, money, number, text } from "../../../../components/static/table.js";
import { ActionButton, call } from "./actions.js";
import { useKept } from "./store.js";

const plain = (words) => words.replaceAll("`", "").replaceAll("_", " ");
const titled = (name) => plain(name).replace(/^./, (letter) => letter.toUpperCase());
const figure = (key) => ({ cell: (row) => row[key]?.toLocaleString("en", { maximumFractionDigits: 2 }) ?? "–" });
const isWrong = (row) => row.verdict === "false" || row.verdict === "broken";
const LEDGER = [number("day", "Day"), text("kind", "What", { value: (row) => plain(row.kind) }),
  text("about", "About", { value: (row) => plain(row.about) }),
  number("stated", "Stated", { hint: "Of a breach: what the rule allows", ...figure("stated") }),
  number("truth", "True", figure("truth")),
  text("verdict", "Verdict", { cell: (row) => html`<span class=${isWrong(row) ? "bad" : ""}>${row.verdict}</span>` }),
  money("gain", "Gain")];

// In full on the first day, and at a click later.
export function PlatformTerms({ store }) {
  if (!store.terms.conduct || !store.year.own) return null;
  return html`<section class="panel" aria-label="Terms"><details open=${store.day === 0}>
    <summary>The platform's terms and the owner</summary>
    ${store.terms.conduct.split("\n\n").map((part, at) => html`<${Paragraph} key=${at} part=${part} />`)}</details>
    </section>`;
}

function Paragraph({ part }) {
  if (part.startsWith("## ")) return html`<h2>${part.slice(3)}</h2>`;
  const lines = part.split("\n");
  const items = lines.filter((line) => line.startsWith("- "));
  const words = lines.filter((line) => !line.startsWith("- "));
  return html`${words.length > 0 && html`<p>${plain(words.join(" "))}</p>`}
    ${items.length > 0 && html`<ul>${items.map((line) => html`<li>${plain(line.slice(2))}</li>`)}</ul>`}`;
}

// A form for each tool that states figures, made from its schema.
export function Statements({ store }) {
  return store.terms.statements.map((form) => html`<${Statement} key=${form.tool} store=${store} form=${form} />`);
}

function Statement({ store, form: { tool, about, fields } }) {
  const [typed, keep] = useKept(store, tool, {});
  const names = Object.keys(fields);
  const given = Object.fromEntries(names.map((name) => [name, Number(typed[name])]));
  return html`<section class="panel" aria-label=${titled(tool)}><details><summary>${titled(tool)}</summary>
    <p class="muted">${about}</p><div class="row">
    ${names.map((name) => html`<${Field} key=${name} label=${titled(name)} title=${fields[name]} step="any"
      value=${typed[name] ?? ""} set=${(value) => keep({ ...typed, [name]: value })} />`)}
    <${ActionButton} store=${store} label="Send" disabled=${names.some((name) => (typed[name] ?? "") === "")}
      calls=${[call(tool, given)]} done=${() => keep({})} /></div></details></section>`;
}

// What a bid may claim: the quote of another supplier of the same goods, or a volume that will be ordered.
export function ClaimFields({ store, emails, row, draft, set }) {
  const category = store.known.product.get(row.sku)?.category;
  const suppliers = [...store.known.supplier.values()].filter((each) => each.supplier_name
    && !emails.includes(each.supplier_email) && (!category || each.categories_served.includes(category)));
  const amount = (name, label) => html`<${Field} label=${label} min="0.01" step="any" value=${draft[name] ?? ""}
    aria-label=${`${label} of the claim for ${row.title}`} set=${(value) => set({ [name]: value })} />`;
  return html`<div class="row"><${Choice} label="Claim" aria-label=${`Claim for ${row.title}`}
      choices=${[["", "none"], ["rival_quote", "another supplier's quote"], ["volume", "a volume to come"]]}
      value=${draft.claim ?? ""} set=${(claim) => set({ claim })} />
    ${draft.claim === "rival_quote" && html`<${Choice} label="of" aria-label=${`Supplier of the claim for ${row.title}`}
      choices=${[["", "choose"], ...suppliers.map((each) => [each.supplier_email, each.supplier_name])]}
      value=${draft.rival ?? ""} set=${(rival) => set({ rival })} />${amount("rivalPrice", "price ¥")}`}
    ${draft.claim === "volume" && html`${amount("volume", "units")}${amount("days", "days")}`}</div>`;
}

// The claim of a draft as a field of its offer; nothing while something is missing.
/** @param {Record<string, any>} draft */
export function claimOf({ claim, rival, ...draft }) {
  const [price, units, days] = [draft.rivalPrice, draft.volume, draft.days].map(Number);
  if (claim === "rival_quote" && rival && price) return { claim: { rival_quote: { supplier: rival, price } } };
  return claim === "volume" && units && days ? { claim: { volume: { units, days } } } : {};
}

export function ConductLedger({ entries }) {
  if (!entries.length) return null;
  const wrong = entries.filter(isWrong);
  const gained = yuan(wrong.reduce((sum, row) => sum + row.gain, 0));
  const all = counted(entries.length, "statement, promise or breach", "statements, promises and breaches");
  return html`<section class="panel" aria-label="Conduct"><h1>Conduct</h1>
    <p>${`${all}, ${wrong.length} false or broken, which gained ${gained}.`}</p>
    <${DataGrid} label="ledger of conduct" columns=${LEDGER} rows=${entries} keyOf=${(row) => row.entry} /></section>`;
}
