// Where the rules count conduct: the platform's terms, what a player can state, and the ledger once the year is over.

import { Choice, Field, Form, html } from "../../../../components/static/kit.js";
import { call } from "./actions.js";

const plain = (words) => words.replaceAll("`", "").replaceAll("_", " ");
const titled = (name) => plain(name).replace(/^./, (letter) => letter.toUpperCase());

// In full on the first day, and at a click later.
export function PlatformTerms({ store }) {
  if (!store.terms.conduct || !store.year.own) return null;
  return html`<section class="panel" aria-label="Terms"><details open=${store.day === 0}>
    <summary>The platform's terms and the owner</summary>
    <div class="quote">${plain(store.terms.conduct.replaceAll("## ", ""))}</div></details></section>`;
}

// A form for each tool that states figures, made from its schema.
export function Statements({ store }) {
  return store.terms.statements.map(({ tool, about, fields }) => {
    const send = (typed) => store.act([call(tool, Object.fromEntries(Object.entries(typed)
      .map(([name, figure]) => [name, Number(figure)])))]);
    return html`<section key=${tool} class="panel" aria-label=${titled(tool)}><details>
      <summary>${titled(tool)}</summary><p class="muted">${about}</p>
      <${Form} label=${`Send (${store.terms.minutes[tool]} min)`} act=${send}>
      ${Object.entries(fields).map(([name, meaning]) => html`<${Field} key=${name} name=${name} label=${titled(name)}
        title=${meaning} step="any" required=${true} />`)}</${Form}></details></section>`;
  });
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
