// Bargaining for several goods at once: for each a bid or the supplier's price, a quantity, and what it would cost.

import { html } from "../../components/preact.js";
import { yuan } from "../../components/dom.js";
import { ActionButton, later } from "./action_button.js";
import { useKept } from "./hooks.js";
import { bargainLetter, letterCall } from "./negotiation_letters.js";

// `goods` are rows of { sku, title, reference, quote, standing, lastBid, agreed }; drafts survive a reload of the page.
export function BidTable({ store, emails, goods, name }) {
  const [drafts, keep] = useKept(store, `bids ${name}`, {});
  const set = (sku, change) => keep({ ...drafts, [sku]: { action: "offer", ...drafts[sku], ...change } });
  const actions = goods.map((row) => decided(row, drafts[row.sku])).filter(Boolean);
  const cost = actions.reduce((sum, each) => sum + (each.price ?? 0) * (each.quantity ?? 0), 0) * emails.length;
  const send = later(["chatbox"], () => [letterCall(emails, bargainLetter(actions))]);
  const clear = () => keep(Object.fromEntries(Object.entries(drafts).map(([sku, draft]) => [sku, { ...draft, price: "", action: "offer" }])));
  return html`<div class="bids">
    ${goods.map((row) => html`<${BidRow} key=${row.sku} row=${row} draft=${drafts[row.sku] ?? {}} set=${(change) => set(row.sku, change)} />`)}
    <div class="row send"><${ActionButton} store=${store} primary=${true} disabled=${!actions.length} cost=${cost} calls=${send} done=${clear}
        label=${actions.length ? `Send ${actions.length === 1 ? "this decision" : `these ${actions.length} decisions`}${emails.length > 1 ? ` to ${emails.length} suppliers` : ""}` : "Send"} />
      <span class="muted">${actions.length ? "An accepted bid is an order: it is paid from the bank at once." : "Type a bid for at least one product."}
        ${emails.length > 1 ? " Each supplier may accept, and each order is then paid." : ""}</span></div></div>`;
}

function BidRow({ row, draft, set }) {
  const price = draft.action === "accept" ? row.standing : Number(draft.price) || null;
  const units = Number(draft.quantity) || 0;
  const top = row.standing ?? row.quote ?? row.reference;
  const margin = price ? 1 - price / row.reference : null;
  const choice = (action, label) => html`<label><input type="radio" name=${`do-${row.sku}`} checked=${(draft.action ?? "offer") === action} onChange=${() => set({ action })} /> ${label}</label>`;
  return html`<fieldset class="bid"><legend>${row.title}</legend>
    <p class="muted facts">reference ${yuan(row.reference, 2)}${row.standing != null ? html`, <strong>supplier asks ${yuan(row.standing, 2)}</strong>` : row.quote != null ? `, opening quote ${yuan(row.quote, 2)}` : ""}${row.lastBid != null ? `, your last bid ${yuan(row.lastBid, 2)}` : ""}</p>
    ${row.agreed ? html`<p class="bad">${row.agreed}</p>` : null}
    <div class="row">
      ${row.standing != null ? html`<span class="row" role="radiogroup" aria-label=${`Decision on ${row.title}`}>${choice("offer", "bid")}${choice("accept", `accept ${yuan(row.standing, 2)}`)}${choice("reject", "walk away")}</span>` : null}
      ${draft.action === "accept" || draft.action === "reject" ? null : html`
        <input type="range" min="0" max=${top.toFixed(2)} step="0.01" value=${draft.price || 0} aria-label=${`Bid for ${row.title}, by slider`} aria-valuetext=${price ? `${yuan(price, 2)}, ${Math.round((100 * price) / row.reference)}% of reference` : "no bid"} onInput=${(event) => set({ price: event.target.value })} />
        <label>bid ¥ <input type="number" min="0.01" step="0.01" value=${draft.price ?? ""} aria-label=${`Bid for ${row.title}`} onInput=${(event) => set({ price: event.target.value })} /></label>`}
      ${draft.action === "reject" ? null : html`<label>units <input type="number" min="1" step="1" value=${draft.quantity ?? ""} aria-label=${`Units of ${row.title}`} onInput=${(event) => set({ quantity: event.target.value })} /></label>`}
      ${price && units && draft.action !== "reject" ? html`<output>${yuan(price * units)} in all, margin ${Math.round(100 * margin)}% if sold at reference</output>` : null}
    </div></fieldset>`;
}

// What a draft means, as an action of a letter; null while something is missing.
function decided(row, draft) {
  const quantity = Math.floor(Number(draft?.quantity)) || 0;
  if (draft?.action === "reject") return row.standing == null ? null : { action: "reject", sku_id: row.sku };
  if (draft?.action === "accept" && row.standing != null) return quantity > 0 ? { action: "accept", sku_id: row.sku, price: row.standing, quantity } : null;
  const price = Number(draft?.price);
  return price > 0 && quantity > 0 ? { action: "offer", sku_id: row.sku, price, quantity } : null;
}
