// The price desk of a store: prices beside cost, margin, recent sales and days of stock; many prices changed at once.

import { Button, cell, Choice, DataGrid, Field, Form, Hint, html, percent, Sparkline, useState, yuan } from
  "../../../../components/static/kit.js";
import { ActionButton, call } from "./actions.js";
import { useKept } from "./store.js";

const LOW_STOCK_DAYS = 5;
const RULES = [["reference", "as % of reference"], ["cost", "as % of cost"], ["change", "changed by %"]];

export function PriceDesk({ store, shop }) {
  const [drafts, keep] = useKept(store, `prices ${shop.id}`, {});
  const [formers, keepFormers] = useKept(store, `former prices ${shop.id}`, {}); // crossed out beside the new ones
  const [selected, select] = useState(new Set());
  const goods = store.shown.desk[shop.id] ?? [];
  const truths = new Map((store.shown[`truth/stores/${encodeURIComponent(shop.id)}`] ?? [])
    .map((row) => [row.sku, row]));
  const priceOf = (row) => Number(drafts[row.sku] || row.price);
  const formerOf = (row) => (formers[row.sku] === undefined ? row.was : Number(formers[row.sku]) || null);
  const changed = goods.filter((row) => priceOf(row) > 0 && (priceOf(row) !== row.price || formerOf(row) !== row.was));
  const undo = () => { keep({}); keepFormers({}); };
  const prices = changed.map((row) => ({ product_id: row.sku, price: priceOf(row),
    ...(formerOf(row) ? { was: formerOf(row) } : {}) }));
  const field = (label, drafted, set, former) => ({ sku, title }) => html`<${Field} min="0.01" step="0.01"
    aria-label=${`${label} of ${title}`} value=${drafted[sku] ?? former(sku)}
    set=${(next) => set({ ...drafted, [sku]: next })} />`;
  const stated = (name, digits) => (sku) => goods.find((row) => row.sku === sku)[name]?.toFixed(digits) ?? "";
  const fields = store.playing ? { price: field("Price", drafts, keep, stated("price", 2)),
    ...(store.terms.conduct && { was: field("Former price", formers, keepFormers, stated("was")) }) } : {};
  const rows = goods.map((row) => rowOf(store.terms, { ...row, ...truths.get(row.sku) }, priceOf(row)));
  return html`<div class="price-desk">
    ${store.playing && rows.length > 0 && html`<${BulkPrices} rows=${goods.filter((row) => selected.has(row.sku))}
      fill=${(filled) => keep({ ...drafts, ...filled })} />
      <p class="row"><${ActionButton} store=${store} primary=${true} disabled=${!changed.length} done=${undo}
        calls=${[call("set_prices", { store_id: shop.id, prices })]} label=${changed.length
          ? `Set ${changed.length === 1 ? "this price" : `these ${changed.length} prices`}` : "Set prices"} />
        ${changed.length ? html`<${Button} label="Undo the changes" act=${undo} />`
          : html`<span class="muted">Type new prices, or tick products and change them together.</span>`}</p>`}
    <${DataGrid} table="products on the shelf" rows=${rows} cells=${{ ...fields, rate: rateOf }}
      selected=${store.playing ? selected : null} select=${select} /></div>`;
}

function rowOf({ commission, freight }, row, price) {
  const margin = 1 - commission - (row.cost + (freight[row.size] ?? 0)) / price;
  const back = row.returned / row.sold;
  const lasts = row.days_left < 100 ? `${Math.round(row.days_left)} days` : "100+ days";
  return { ...row, price: cell(price, yuan(price, 2)),
    ratio: cell(price / row.reference, `${percent(price / row.reference)} of ${yuan(row.reference, 2)}`),
    margin: cell(margin, percent(margin), margin < 0),
    returned: row.sold ? cell(back, `${percent(back)} of ${row.sold}`) : null,
    days_left: row.units === 0 ? cell(0, "empty", true)
      : row.days_left && cell(row.days_left, lasts, row.days_left < LOW_STOCK_DAYS) };
}

// What it sells, in a line and a figure that opens to the sales at each price, and whether that is more than before.
function rateOf({ days, rate, earlier_rate: earlier, by_price: sales }) {
  const changed = earlier != null && rate !== earlier;
  return html`<span class="trend">${days.length > 1 && html`<${Sparkline} values=${days}
      label=${`Units by day: ${days.join(", ")}`} />`}<${Hint} words=${rate.toFixed(1)}>${sales}</${Hint}>
    ${changed && html` <span class=${rate > earlier ? "good" : "bad"}
      title=${`${earlier.toFixed(1)} a day in the week before`}>${rate > earlier ? "▲" : "▼"}</span>`}</span>`;
}

// One rule for all ticked products: a multiple of the reference price, of the cost, or a change in percent.
function BulkPrices({ rows, fill }) {
  if (!rows.length) return null;
  const priced = ({ reference, cost, price }, rule, by) => ({ reference: reference * by, cost: cost * by,
    change: price * (1 + by) })[rule];
  const apply = ({ rule, share }) => fill(Object.fromEntries(rows.map((row) =>
    [row.sku, Math.max(0.01, priced(row, rule, Number(share) / 100)).toFixed(2)])));
  return html`<${Form} class="row bulk" label="Fill in" act=${apply}><strong>${rows.length} ticked:</strong>
    <${Choice} label="price" name="rule" choices=${RULES} />
    <${Field} name="share" step="any" aria-label="Percent" required=${true} /></${Form}>`;
}
