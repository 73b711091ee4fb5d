// Bargaining for several goods at once: for each a bid or the supplier's price, a quantity, and what it would cost.

import { Button, counted, Field, Form, html, percent, yuan } from "../../../../components/static/kit.js";
import { ActionButton, bargainLetter, letterCall } from "./actions.js";
import { ClaimFields, claimOf } from "./conduct.js";
import { useBasket, useKept } from "./store.js";

// `goods` are rows of { sku, title, reference, quote, standing, lastBid, agreed }; drafts survive a reload of the page.
export function BidTable({ store, emails, goods, name }) {
  const [drafts, keep] = useKept(store, `bids ${name}`, {});
  const [basket, setBasket] = useBasket(store);
  const change = (rows, changed) => keep({ ...drafts, ...Object.fromEntries(rows.map((row) => [row.sku,
    { action: "offer", ...drafts[row.sku], ...changed(row) }])) });
  const actions = goods.map((row) => decided(row, drafts[row.sku] ?? {})).filter(Boolean);
  const cost = actions.reduce((sum, each) => sum + (each.price ?? 0) * (each.quantity ?? 0), 0) * emails.length;
  const several = emails.length > 1;
  const clear = (replies) => {
    keep(Object.fromEntries(Object.entries(drafts)
      .map(([sku, { quantity }]) => [sku, { quantity, action: "offer" }])));
    const ordered = replies.flatMap((reply) => reply.responses ?? [reply])
      .flatMap((answer) => answer.negotiation_responses ?? []).filter((each) => each.order_placed)
      .map((each) => each.sku_id);
    if (ordered.length) setBasket([...basket].filter((sku) => !ordered.includes(sku))); // not to be bought twice
  };
  const decisions = actions.length === 1 ? "this decision" : `these ${actions.length} decisions`;
  return html`<div class="bids">
    ${goods.length > 1 && html`<${FillAll} goods=${goods} change=${change} />`}
    ${goods.map((row) => html`<${BidRow} key=${row.sku} store=${store} emails=${emails} row=${row}
      draft=${drafts[row.sku] ?? {}} set=${(changed) => change([row], () => changed)} />`)}
    <div class="row send"><${ActionButton} store=${store} primary=${true} disabled=${!actions.length} cost=${cost}
      calls=${[letterCall(emails, bargainLetter(actions))]} done=${clear}
      label=${actions.length ? `Send ${decisions}${several ? ` to ${emails.length} suppliers` : ""}` : "Send"} />
      <span class="muted">${actions.length ? "An accepted bid is an order: it is paid from the bank at once."
        : "Type a bid and a number of units for at least one product."}
        ${several && " Each supplier may accept, and each order is then paid."}</span></div></div>`;
}

// The same decision for all of them, to be changed one by one before it is sent.
function FillAll({ goods, change }) {
  const open = goods.filter((row) => row.standing != null);
  const fill = ({ share, units }) => change(goods, (row) => ({ action: "offer", ...(units && { quantity: units }),
    ...(share && { price: ((row.reference * Number(share)) / 100).toFixed(2) }) }));
  return html`<${Form} class="row fill-all" label="Fill in" act=${fill}><strong>All ${goods.length}:</strong>
    <${Field} label="bid" name="share" min="1" max="100" step="any" after="% of reference" />
    <${Field} label="units" name="units" min="1" step="1" />
    ${open.length > 1 && html`<${Button} label=${`Accept all ${counted(open.length, "quote")}`}
      act=${() => change(open, () => ({ action: "accept" }))} />`}</${Form}>`;
}

function BidRow({ store, emails, row, draft, set }) {
  const { action = "offer" } = draft;
  const { title, reference, standing, quote, lastBid } = row;
  const price = action === "accept" ? standing : Number(draft.price) || null;
  const units = Number(draft.quantity) || 0;
  const share = (amount) => percent(amount / reference);
  const bid = { value: draft.price ?? "", set: (value) => set({ price: value }) };
  const choice = (name, label) => html`<label><input type="radio" name=${`do-${row.sku}`} checked=${action === name}
    onChange=${() => set({ action: name })} /> ${label}</label>`;
  return html`<fieldset class="bid"><legend>${title}</legend>
    <p class="muted facts">reference ${yuan(reference, 2)}
      ${standing != null ? html`, <strong>supplier asks ${yuan(standing, 2)}</strong> (${share(standing)})`
        : quote != null && `, opening quote ${yuan(quote, 2)} (${share(quote)})`}
      ${lastBid != null && `, your last bid ${yuan(lastBid, 2)}`}</p>
    ${row.agreed && html`<p class="bad">${row.agreed}</p>`}
    <div class="row">
      ${standing != null && html`<span class="row" role="radiogroup" aria-label=${`Decision on ${title}`}>
        ${choice("offer", "bid")}${choice("accept", `accept ${yuan(standing, 2)}`)}${choice("reject", "walk away")}
        </span>`}
      ${action === "offer" && html`<${Field} type="range" min="0" max=${(standing ?? quote ?? reference).toFixed(2)}
          step="0.01" ...${bid} value=${Number(draft.price) || 0} aria-label=${`Bid for ${title}, by slider`}
          aria-valuetext=${price ? `${yuan(price, 2)}, ${share(price)} of reference` : "no bid"} />
        <${Field} label="bid ¥" min="0.01" step="0.01" aria-label=${`Bid for ${title}`} ...${bid} />`}
      ${action !== "reject" && html`<${Field} label="units" min="1" step="1" value=${draft.quantity ?? ""}
        aria-label=${`Units of ${title}`} set=${(quantity) => set({ quantity })} />`}
      ${price && units > 0 && action !== "reject" && html`<output>
        ${`${yuan(price * units)} in all, ${share(price)} of reference`}</output>`}</div>
    ${store.terms.conduct && action === "offer" && html`<${ClaimFields} store=${store} emails=${emails} row=${row}
      draft=${draft} set=${set} />`}</fieldset>`;
}

// What a draft means, as an action of a letter; null while something is missing.
function decided({ sku, standing }, { action = "offer", price, quantity, ...claim }) {
  const units = Math.floor(Number(quantity)) || 0;
  if (action === "reject") return standing == null ? null : { action, sku_id: sku };
  const amount = action === "accept" && standing != null ? standing : Number(price);
  if (!(amount > 0 && units > 0)) return null;
  return { action: amount === standing && action === "accept" ? action : "offer", sku_id: sku, price: amount,
    quantity: units, ...(action === "offer" ? claimOf(claim) : {}) };
}
