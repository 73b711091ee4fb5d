// The price desk of a store: prices beside cost, margin, recent sales and days of stock; many prices changed at once.

import { html, useState } from "../../../../components/static/preact.js";
import { yuan } from "../../../../components/static/format.js";
import { ActionButton, later } from "./action_button.js";
import { DataGrid, money } from "../../../../components/static/table.js";
import { useKept, useTruth } from "./hooks.js";
import { PriceRecord } from "./price_record.js";
import { Sparkline } from "../../../../components/static/controls.js";

const LOW_STOCK_DAYS = 5;

export function PriceDesk({ store, shop, rows }) {
  const [drafts, keep] = useKept(store, `prices ${shop.id}`, {});
  const [formers, keepFormers] = useKept(store, `former prices ${shop.id}`, {}); // crossed out beside the new ones
  const [selected, select] = useState(new Set());
  const [chosen, choose] = useState(null);
  const inspected = rows.find((row) => row.sku === chosen);
  const truths = useTruth(store, `stores/${encodeURIComponent(shop.id)}`);
  const priceOf = (row) => (drafts[row.sku] === undefined || drafts[row.sku] === "" ? row.price
    : Number(drafts[row.sku]));
  const formerOf = (row) => (formers[row.sku] === undefined ? row.was : Number(formers[row.sku]) || null);
  const changed = rows.filter((row) => priceOf(row) > 0 && (priceOf(row) !== row.price || formerOf(row) !== row.was));
  const undo = () => { keep({}); keepFormers({}); };
  const set = later(["set_prices"],
    () => [{ name: "set_prices", arguments: { store_id: shop.id,
    prices: changed.map((row) => ({ product_id: row.sku, price: priceOf(row),
      ...(formerOf(row) ? { was: formerOf(row) } : {}) })) } }]);
  const field = (row) => html`<input type="number" min="0.01" step="0.01" aria-label=${`Price of ${row.title}`}
    value=${drafts[row.sku] ?? row.price.toFixed(2)}
    onInput=${(event) => keep({ ...drafts, [row.sku]: event.target.value })} />`;
  const former = (row) => html`<input type="number" min="0.01" step="0.01" aria-label=${`Former price of ${row.title}`}
    value=${formers[row.sku] ?? row.was ?? ""}
    onInput=${(event) => keepFormers({ ...formers, [row.sku]: event.target.value })} />`;
  return html`<div class="price-desk">
    ${store.playing && rows.length ? html`<${BulkPrices} rows=${rows.filter((row) => selected.has(row.sku))}
      drafts=${drafts} keep=${keep} />
      <p class="row"><${ActionButton} store=${store} primary=${true} disabled=${!changed.length} calls=${set}
        done=${undo}
        label=${changed.length ? `Set ${changed.length === 1 ? "this price" : `these ${changed.length} prices`}`
        : "Set prices"} />
        ${changed.length ? html`<button type="button" onClick=${undo}>Undo the changes</button>`
          : html`<span class="muted">Type new prices, or tick products and change them together.</span>`}</p>` : null}
    ${inspected ? html`<${PriceRecord} key=${inspected.sku} store=${store} shop=${shop} row=${inspected}
      close=${() => choose(null)} />` : null}
    <${DataGrid} label=${`products of ${shop.name}`} choose=${(row) => choose(row.sku)} rows=${rows}
      keyOf=${(row) => row.sku} columns=${[...columnsOf(store, priceOf, ...(store.playing ? [field, former]
      : [null, null])), ...truthColumns(truths)]}
      selected=${store.playing ? selected : null} select=${select}
        empty="The shelf is empty. List goods on the Warehouse screen." /></div>`;
}

function columnsOf(store, priceOf, field, former) {
  const margin = (row) => 1 - store.terms.commission - (row.cost + (store.terms.freight[row.size] ?? 0)) / priceOf(row);
  return [
    { key: "title", title: "Product" },
    { key: "price", title: "Price, ¥", numeric: true, value: priceOf, cell: (row) => (field ? field(row)
      : yuan(row.price, 2)) },
    ...(store.terms.conduct ? [{ key: "was", title: "Crossed out, ¥", numeric: true,
      hint: "A former price, shown crossed out beside the price; empty for none",
      cell: (row) => (former ? former(row) : row.was == null ? "–" : yuan(row.was, 2)) }] : []),
    { key: "ratio", title: "Of reference price", numeric: true, value: (row) => priceOf(row) / row.reference,
      cell: (row) => `${Math.round((100 * priceOf(row)) / row.reference)}% of ${yuan(row.reference, 2)}` },
    money("cost", "Unit cost"),
    { key: "margin", title: "Margin", numeric: true, value: margin,
      hint: "Of the price, after commission and standard freight",
      cell: (row) => html`<span class=${margin(row) < 0 ? "bad" : ""}>${Math.round(100 * margin(row))}%</span>` },
    { key: "rate", title: "Sold a day", numeric: true, hint: "Over the last week; the line shows two weeks",
      cell: (row) => html`<span class="trend">
      ${row.days.length > 1 ? html`<${Sparkline} values=${row.days.map((day) => day.units)}
      label=${`Units by day: ${row.days.map((day) => day.units).join(", ")}`} />` : null}
      ${row.rate.toFixed(1)} ${trend(row)}</span>` },
    { key: "units", title: "On the shelf", numeric: true },
    { key: "days_left", title: "Lasts", numeric: true, hint: "Days until the shelf is empty at this rate",
      cell: (row) => (row.units === 0 ? html`<span class="bad">empty</span>` : row.days_left == null ? "–"
      : html`<span class=${row.days_left < LOW_STOCK_DAYS ? "bad" : ""}>
      ${row.days_left < 100 ? `${Math.round(row.days_left)} days` : "100+ days"}</span>`) },
    { key: "returned", title: "Returned", numeric: true, value: (row) => (row.sold ? row.returned / row.sold : null),
      cell: (row) => (row.sold ? `${Math.round((100 * row.returned) / row.sold)}% of ${row.sold}` : "–") },
  ];
}

// What no merchant can know: the lowest price of a supplier, and the best price of the day.
function truthColumns(truths) {
  if (!truths) return [];
  const known = new Map(truths.map((row) => [row.sku, row]));
  return [
    { key: "floor", title: "Floor", numeric: true, hint: "Hidden: the lowest price at which honest suppliers sell it",
      value: (row) => known.get(row.sku)?.floor, cell: (row) => yuan(known.get(row.sku)?.floor, 2) },
    { key: "best", title: "Best price", numeric: true, hint: "Hidden: the most profitable price, of reference",
      value: (row) => known.get(row.sku)?.best_ratio, cell: (row) => (known.has(row.sku)
      ? `${Math.round(100 * known.get(row.sku).best_ratio)}%` : "–") },
  ];
}

function trend(row) {
  if (row.earlier_rate == null || row.rate === row.earlier_rate) return "";
  return row.rate > row.earlier_rate
    ? html`<span class="good" title=${`${row.earlier_rate.toFixed(1)} a day in the week before`}>▲</span>`
    : html`<span class="bad" title=${`${row.earlier_rate.toFixed(1)} a day in the week before`}>▼</span>`;
}

// One rule for all ticked products: a multiple of the reference price, of the cost, or a change in percent.
function BulkPrices({ rows, drafts, keep }) {
  const [rule, setRule] = useState("reference");
  const [number, setNumber] = useState("");
  if (!rows.length) return null;
  const priced = { reference: (row) => row.reference * number / 100, cost: (row) => row.cost * number / 100,
    change: (row) => row.price * (1 + number / 100) }[rule];
  const apply = (event) => {
    event.preventDefault();
    if (number !== "") keep({ ...drafts, ...Object.fromEntries(rows.map((row) => [row.sku, Math.max(0.01, priced(row))
      .toFixed(2)])) });
  };
  return html`<form class="row bulk" onSubmit=${apply}><strong>${rows.length} ticked:</strong>
    <label>price <select value=${rule} onChange=${(event) => setRule(event.target.value)}><option value="reference">
      as % of reference</option><option value="cost">as % of cost</option><option value="change">changed by %</option>
      </select></label>
    <input type="number" step="any" aria-label="Percent" value=${number}
      onInput=${(event) => setNumber(event.target.value)} /><button type="submit">Fill in</button></form>`;
}
