// Bargaining for several goods at once: for each a bid or the supplier's price, a quantity, and what it would cost.

import { html, useState } from "../../../../components/static/preact.js";
import { yuan } from "../../../../components/static/format.js";
import { ActionButton, later } from "./action_button.js";
import { useBasket } from "./basket.js";
import { ClaimFields, claimOf } from "./conduct.js";
import { useKept } from "./hooks.js";
import { bargainLetter, letterCall } from "./negotiation_letters.js";

// `goods` are rows of { sku, title, reference, quote, standing, lastBid, agreed }; drafts survive a reload of the page.
export function BidTable({ store, emails, goods, name }) {
  const [drafts, keep] = useKept(store, `bids ${name}`, {});
  const set = (sku, change) => keep({ ...drafts, [sku]: { action: "offer", ...drafts[sku], ...change } });
  const actions = goods.map((row) => decided(row, drafts[row.sku])).filter(Boolean);
  const cost = actions.reduce((sum, each) => sum + (each.price ?? 0) * (each.quantity ?? 0), 0) * emails.length;
  const send = later(["chatbox"], () => [letterCall(emails, bargainLetter(actions))]);
  const [basket, setBasket] = useBasket(store);
  const clear = (replies) => {
    keep(Object.fromEntries(Object.entries(drafts)
      .map(([sku, draft]) => [sku, { quantity: draft.quantity, action: "offer" }])));
    const ordered = replies.flatMap((reply) => reply.responses ?? [reply])
      .flatMap((answer) => answer.negotiation_responses ?? []).filter((each) => each.order_placed)
      .map((each) => each.sku_id);
    if (ordered.length) setBasket([...basket].filter((sku) => !ordered.includes(sku)));
      // not to be bought twice by mistake
  };
  return html`<div class="bids">
    ${goods.length > 1 ? html`<${FillAll} goods=${goods} drafts=${drafts} keep=${keep} />` : null}
    ${goods.map((row) => html`<${BidRow} key=${row.sku} store=${store} emails=${emails} row=${row}
      draft=${drafts[row.sku] ?? {}} set=${(change) => set(row.sku, change)} />`)}
    <div class="row send"><${ActionButton} store=${store} primary=${true} disabled=${!actions.length} cost=${cost}
      calls=${send} done=${clear}
        label=${actions.length ? `Send ${actions.length === 1 ? "this decision"
          : `these ${actions.length} decisions`}${emails.length > 1 ? ` to ${emails.length} suppliers` : ""}`
          : "Send"} />
      <span class="muted">${actions.length ? "An accepted bid is an order: it is paid from the bank at once."
        : "Type a bid and a number of units for at least one product."}
        ${emails.length > 1 ? " Each supplier may accept, and each order is then paid." : ""}</span></div></div>`;
}

// The same decision for all of them, to be changed one by one before it is sent.
function FillAll({ goods, drafts, keep }) {
  const [share, setShare] = useState("");
  const [units, setUnits] = useState("");
  const open = goods.filter((row) => row.standing != null);
  const fill = (rows, change) =>
    keep({ ...drafts, ...Object.fromEntries(rows.map((row) => [row.sku, { ...drafts[row.sku], ...change(row) }])) });
  const submit = (event) => {
    event.preventDefault();
    fill(goods, (row) => ({ action: "offer", ...(Number(share) > 0 ? { price: ((row.reference * share) / 100)
      .toFixed(2) } : {}), ...(Number(units) > 0 ? { quantity: units } : {}) }));
  };
  return html`<form class="row fill-all" onSubmit=${submit}><strong>All ${goods.length}:</strong>
    <label>bid <input type="number" min="1" max="100" step="any" value=${share}
      onInput=${(event) => setShare(event.target.value)} />% of reference</label>
    <label>units <input type="number" min="1" step="1" value=${units}
      onInput=${(event) => setUnits(event.target.value)} /></label><button type="submit">Fill in</button>
    ${open.length > 1 ? html`<button type="button" onClick=${() => fill(open, () => ({ action: "accept" }))}>
      Accept all ${open.length} quotes</button>` : null}</form>`;
}

function BidRow({ store, emails, row, draft, set }) {
  const price = draft.action === "accept" ? row.standing : Number(draft.price) || null;
  const units = Number(draft.quantity) || 0;
  const top = row.standing ?? row.quote ?? row.reference;
  const choice = (action, label) => html`<label><input type="radio" name=${`do-${row.sku}`}
    checked=${(draft.action ?? "offer") === action} onChange=${() => set({ action })} /> ${label}</label>`;
  return html`<fieldset class="bid"><legend>${row.title}</legend>
    <p class="muted facts">reference ${yuan(row.reference, 2)}
      ${row.standing != null ? html`, <strong>supplier asks ${yuan(row.standing, 2)}</strong> (
      ${Math.round((100 * row.standing) / row.reference)}%)` : row.quote != null
      ? `, opening quote ${yuan(row.quote, 2)} (${Math.round((100 * row.quote) / row.reference)}%)` : ""}
      ${row.lastBid != null ? `, your last bid ${yuan(row.lastBid, 2)}` : ""}</p>
    ${row.agreed ? html`<p class="bad">${row.agreed}</p>` : null}
    <div class="row">
      ${row.standing != null ? html`<span class="row" role="radiogroup" aria-label=${`Decision on ${row.title}`}>
        ${choice("offer", "bid")}${choice("accept", `accept ${yuan(row.standing, 2)}`)}${choice("reject", "walk away")}
        </span>` : null}
      ${draft.action === "accept" || draft.action === "reject" ? null : html`
        <input type="range" min="0" max=${top.toFixed(2)} step="0.01" value=${Number(draft.price) || 0}
          aria-label=${`Bid for ${row.title}, by slider`}
          aria-valuetext=${price ? `${yuan(price, 2)}, ${Math.round((100 * price) / row.reference)}% of reference`
          : "no bid"} onInput=${(event) => set({ price: event.target.value })} />
        <label>bid ¥ <input type="number" min="0.01" step="0.01" value=${draft.price ?? ""}
          aria-label=${`Bid for ${row.title}`} onInput=${(event) => set({ price: event.target.value })} /></label>`}
      ${draft.action === "reject" ? null : html`<label>units <input type="number" min="1" step="1"
        value=${draft.quantity ?? ""} aria-label=${`Units of ${row.title}`}
        onInput=${(event) => set({ quantity: event.target.value })} /></label>`}
      ${price && units && draft.action !== "reject"
        ? html`<output>${yuan(price * units)} in all, ${Math.round((100 * price) / row.reference)}% of reference
        </output>` : null}
    </div>
    ${store.terms.conduct && (draft.action ?? "offer") === "offer" ? html`<${ClaimFields} store=${store}
      emails=${emails} row=${row} draft=${draft} set=${set} />` : null}</fieldset>`;
}

// What a draft means, as an action of a letter; null while something is missing.
function decided(row, draft) {
  const quantity = Math.floor(Number(draft?.quantity)) || 0;
  if (draft?.action === "reject") return row.standing == null ? null : { action: "reject", sku_id: row.sku };
  if (draft?.action === "accept" && row.standing != null) return quantity > 0 ? { action: "accept", sku_id: row.sku,
    price: row.standing, quantity } : null;
  const price = Number(draft?.price);
  return price > 0 && quantity > 0 ? { action: "offer", sku_id: row.sku, price, quantity, ...claimOf(draft) }
    : null;
}
