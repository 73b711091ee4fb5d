// The price desk of a store: prices beside cost, margin, recent sales and days of stock; many prices changed at once.

import { Button, Choice, Field, Sparkline } from "../../../../components/static/controls.js";
import { percent, yuan } from "../../../../components/static/format.js";
import { html, useState } from "../../../../components/static/preact.js";
import { DataGrid, money, number, text } from "../../../../components/static/table.js";
import { ask } from "../page.js";
import { ActionButton, call } from "./actions.js";
import { useAnswer, useKept, useTruth } from "./store.js";

const LOW_STOCK_DAYS = 5;
const RULES = [["reference", "as % of reference"], ["cost", "as % of cost"], ["change", "changed by %"]];
const BY_PRICE = [money("price", "Price"),
  number("days", "Days", { hint: "Days on the shelf at this price; days without a sale count" }),
  number("rate", "Sold a day", { cell: (row) => row.rate.toFixed(1) }),
  money("revenue", "Revenue a day", { value: (row) => row.rate * row.price })];

export function PriceDesk({ store, shop, rows }) {
  const [drafts, keep] = useKept(store, `prices ${shop.id}`, {});
  const [formers, keepFormers] = useKept(store, `former prices ${shop.id}`, {}); // crossed out beside the new ones
  const [selected, select] = useState(new Set());
  const [chosen, choose] = useState(null);
  const inspected = rows.find((row) => row.sku === chosen);
  const truths = useTruth(store, `stores/${encodeURIComponent(shop.id)}`);
  const priceOf = (row) => Number(drafts[row.sku] || row.price);
  const formerOf = (row) => (formers[row.sku] === undefined ? row.was : Number(formers[row.sku]) || null);
  const changed = rows.filter((row) => priceOf(row) > 0 && (priceOf(row) !== row.price || formerOf(row) !== row.was));
  const undo = () => { keep({}); keepFormers({}); };
  const prices = changed.map((row) => ({ product_id: row.sku, price: priceOf(row),
    ...(formerOf(row) ? { was: formerOf(row) } : {}) }));
  const field = (label, row, kept, set, value) => html`<${Field} min="0.01" step="0.01"
    aria-label=${`${label} of ${row.title}`} value=${kept[row.sku] ?? value}
    set=${(next) => set({ ...kept, [row.sku]: next })} />`;
  const fields = store.playing ? { price: (row) => field("Price", row, drafts, keep, row.price.toFixed(2)),
    was: (row) => field("Former price", row, formers, keepFormers, row.was ?? "") } : {};
  return html`<div class="price-desk">
    ${store.playing && rows.length > 0 && html`<${BulkPrices} rows=${rows.filter((row) => selected.has(row.sku))}
      fill=${(filled) => keep({ ...drafts, ...filled })} />
      <p class="row"><${ActionButton} store=${store} primary=${true} disabled=${!changed.length} done=${undo}
        calls=${[call("set_prices", { store_id: shop.id, prices })]} label=${changed.length
          ? `Set ${changed.length === 1 ? "this price" : `these ${changed.length} prices`}` : "Set prices"} />
        ${changed.length ? html`<${Button} label="Undo the changes" act=${undo} />`
          : html`<span class="muted">Type new prices, or tick products and change them together.</span>`}</p>`}
    ${inspected && html`<${PriceRecord} key=${inspected.sku} store=${store} shop=${shop} row=${inspected}
      close=${() => choose(null)} />`}
    <${DataGrid} label=${`products of ${shop.name}`} choose=${(row) => choose(row.sku)} rows=${rows}
      keyOf=${(row) => row.sku} columns=${[...columnsOf(store, priceOf, fields), ...truthColumns(truths)]}
      selected=${store.playing ? selected : null} select=${select}
      empty="The shelf is empty. List goods on the Warehouse screen." /></div>`;
}

function columnsOf({ terms }, priceOf, fields) {
  const margin = (row) => 1 - terms.commission - (row.cost + (terms.freight[row.size] ?? 0)) / priceOf(row);
  const alarming = (on, words) => html`<span class=${on ? "bad" : ""}>${words}</span>`;
  return [
    text("title", "Product"),
    money("price", "Price, ¥", { value: priceOf, ...(fields.price && { cell: fields.price }) }),
    ...(terms.conduct ? [money("was", "Crossed out, ¥", { ...(fields.was && { cell: fields.was }),
      hint: "A former price, shown crossed out beside the price; empty for none" })] : []),
    number("ratio", "Of reference price", { value: (row) => priceOf(row) / row.reference,
      cell: (row) => `${percent(priceOf(row) / row.reference)} of ${yuan(row.reference, 2)}` }),
    money("cost", "Unit cost"),
    number("margin", "Margin", { value: margin, hint: "Of the price, after commission and standard freight",
      cell: (row) => alarming(margin(row) < 0, percent(margin(row))) }),
    number("rate", "Sold a day", { hint: "Over the last week; the line shows two weeks",
      cell: (row) => html`<span class="trend">${row.days.length > 1 && html`<${Sparkline} values=${row.days}
        label=${`Units by day: ${row.days.join(", ")}`} />`}${row.rate.toFixed(1)} ${trend(row)}</span>` }),
    number("units", "On the shelf"),
    number("days_left", "Lasts", { hint: "Days until the shelf is empty at this rate", cell: (row) =>
      (row.units === 0 ? alarming(true, "empty") : row.days_left == null ? "–" : alarming(
        row.days_left < LOW_STOCK_DAYS, row.days_left < 100 ? `${Math.round(row.days_left)} days` : "100+ days")) }),
    number("returned", "Returned", { value: (row) => (row.sold ? row.returned / row.sold : null),
      cell: (row) => (row.sold ? `${percent(row.returned / row.sold)} of ${row.sold}` : "–") }),
  ];
}

// What no merchant can know: the lowest price of a supplier, and the best price of the day.
function truthColumns(truths) {
  if (!truths) return [];
  const known = new Map(truths.map((row) => [row.sku, row]));
  return [
    money("floor", "Floor", { hint: "Hidden: the lowest price at which honest suppliers sell it",
      value: (row) => known.get(row.sku)?.floor }),
    number("best", "Best price", { hint: "Hidden: the most profitable price, of reference",
      value: (row) => known.get(row.sku)?.best_ratio,
      cell: (row) => (known.has(row.sku) ? percent(known.get(row.sku).best_ratio) : "–") }),
  ];
}

function trend({ rate, earlier_rate: earlier }) {
  if (earlier == null || rate === earlier) return "";
  return html`<span class=${rate > earlier ? "good" : "bad"} title=${`${earlier.toFixed(1)} a day in the week before`}>
    ${rate > earlier ? "▲" : "▼"}</span>`;
}

// One rule for all ticked products: a multiple of the reference price, of the cost, or a change in percent.
function BulkPrices({ rows, fill }) {
  const [rule, setRule] = useState("reference");
  const [share, setShare] = useState("");
  if (!rows.length) return null;
  const priced = { reference: (row, by) => row.reference * by, cost: (row, by) => row.cost * by,
    change: (row, by) => row.price * (1 + by) }[rule];
  const apply = (event) => {
    event.preventDefault();
    if (share !== "") fill(Object.fromEntries(rows.map((row) => [row.sku,
      Math.max(0.01, priced(row, Number(share) / 100)).toFixed(2)])));
  };
  return html`<form class="row bulk" onSubmit=${apply}><strong>${rows.length} ticked:</strong>
    <${Choice} label="price" choices=${RULES} value=${rule} set=${setRule} />
    <${Field} step="any" aria-label="Percent" value=${share} set=${setShare} /><button type="submit">Fill in</button>
    </form>`;
}

// What a product has sold at each price that was asked for it so far, from the store's own sales.
function PriceRecord({ store, shop, row, close }) {
  const found = useAnswer(`${store.path}/turns/${store.turn}/prices/${encodeURIComponent(shop.id)}`, ask);
  if (!found) return null;
  const days = found[row.sku] ?? [];
  const rows = Object.values(Object.groupBy(days, (day) => String(day.price))).map((same) => ({ price: same[0].price,
    days: same.length, rate: same.reduce((sum, { units }) => sum + units, 0) / same.length }));
  return html`<section class="card" aria-label=${`Sales of ${row.title} by price`}><div class="row">
    <h2>${row.title}: sales by price</h2><${Button} label="Close" act=${close} /></div>
    <${DataGrid} label="sales by price" columns=${BY_PRICE} rows=${rows.toSorted((a, b) => a.price - b.price)}
      keyOf=${(each) => each.price} empty="It has not been on the shelf for a day yet." /></section>`;
}
