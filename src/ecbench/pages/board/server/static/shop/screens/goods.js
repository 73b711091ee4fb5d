// Goods: every product that a search or a price list has shown, in one table, to be put into the basket.

import { html, useState } from "../../../../../components/static/preact.js";
import { counted, yuan } from "../../../../../components/static/format.js";
import { useBasket } from "../basket.js";
import { DataGrid, money } from "../../../../../components/static/table.js";
import { useKept, useKnown } from "../hooks.js";

const COLUMNS = [
  { key: "title", title: "Product" },
  { key: "category", title: "Category" },
  { key: "size", title: "Parcel size", hint: "Larger parcels cost more to ship and to store" },
  money("reference_price", "Reference price", { hint: "What customers take for a normal price" }),
  { key: "quote", title: "Lowest opening quote", numeric: true, cell: (row) => (row.quote == null ? "–"
    : yuan(row.quote, 2)), hint: "Of the price lists that you have read" },
  { key: "share", title: "Quote of reference", numeric: true, cell: (row) => (row.share == null ? "–"
    : `${Math.round(100 * row.share)}%`) },
  { key: "held", title: "In stock", numeric: true },
  { key: "sold", title: "Sold", numeric: true },
  { key: "seen", title: "Looked up", value: (row) => row.seen, cell: (row) => `day ${row.seen}`,
    hint: "The day on which you last looked it up" },
];

export function Goods({ store, goTo }) {
  const known = useKnown(store);
  const [basket, setBasket] = useBasket(store);
  const [filter, setFilter] = useState({ category: "", size: "", least: "", most: "", basket: false });
  if (!known) return html`<p class="muted">Looking …</p>`;
  const rows = rowsOf(store);
  if (!rows.length) {
    return html`<section class="panel" aria-label="Goods"><h1>Goods</h1><p>
      No goods have been looked up yet. Choose a store type on the market and list its goods.</p>
      <button type="button" class="primary" onClick=${() => goTo("market")}>Go to the market</button></section>`;
  }
  const categories = new Set(rows.map((row) => row.category)).size;
  const columns = COLUMNS.filter(({ key }) => (key !== "category" || categories > 1)
    && (!["quote", "share"].includes(key) || rows.some((row) => row.quote != null)) && (!["held", "sold"].includes(key)
    || rows.some((row) => row.held || row.sold)));
  const shown = rows.filter((row) => matches(row, filter, basket));
  return html`<section class="panel" aria-label="Goods"><div class="row"><h1>Goods</h1>
      <span class="muted">${rows.length.toLocaleString("en")} products found so far. What you have found stays here.
        </span></div>
    <${Filters} rows=${rows} filter=${filter} set=${setFilter} />
    <${DataGrid} label="goods" columns=${columns} rows=${shown} keyOf=${(row) => row.sku} selected=${store.playing
      ? basket : null} select=${setBasket}
      empty="No product matches these filters." />
    <${BasketLine} store=${store} basket=${basket} setBasket=${setBasket} goTo=${goTo} /></section>`;
}

function Filters({ rows, filter, set }) {
  const choices = (key) => [...new Set(rows.map((row) => row[key]).filter(Boolean))].sort();
  const field = (name, type = "text") => ({ value: filter[name], type,
    onInput: (event) => set({ ...filter, [name]: event.target.value }) });
  const select = (name, all) => html`<select aria-label=${all} value=${filter[name]}
    onChange=${(event) => set({ ...filter, [name]: event.target.value })}>
    <option value="">${all}</option>${choices(name).map((each) => html`<option value=${each}>${each}</option>`)}
      </select>`;
  return html`<div class="row filters">${choices("category").length > 1 ? select("category", "All categories") : null}
    ${select("size", "All parcel sizes")}
    <label>Price from ¥ <input ...${field("least", "number")} min="0" size="6" /></label><label>
      to ¥ <input ...${field("most", "number")} min="0" size="6" /></label>
    <label><input type="checkbox" checked=${filter.basket}
      onChange=${(event) => set({ ...filter, basket: event.target.checked })} /> only the basket</label></div>`;
}

function BasketLine({ store, basket, setBasket, goTo }) {
  const [, open] = useKept(store, "supplier", null);
  if (!store.playing) return null;
  const bargain = () => {
    open(null); // all suppliers, not the one that was read last; those that sell the basket are ticked there
    goTo("suppliers");
  };
  const count = basket.size;
  return html`<p class="row basket" role="status"><strong>${count ? `${counted(count, "product")} in the basket`
    : "The basket is empty: tick the goods that you want to buy."}</strong>
    ${count ? html`<button type="button" class="primary" onClick=${bargain}>Bargain for ${count === 1 ? "it" : "them"}
      </button>
      <button type="button" onClick=${() => setBasket(new Set())}>Empty the basket</button>` : null}</p>`;
}

// Products with what is known of them: the lowest opening quote of all price lists, and the player's own stock and
// sales.
function rowsOf(store) {
  const quotes = new Map();
  for (const { sku, quote } of store.known.quote.values()) quotes.set(sku, Math.min(quote, quotes.get(sku)
    ?? Infinity));
  const stock = new Map(store.position.stock.map((row) => [row.sku, row]));
  const sold = new Map(store.position.stores.flatMap((each) => each.shelf).map((row) => [row.sku, row.sold]));
  return [...store.known.product.values()].map((row) => {
    const quote = quotes.get(row.product_id) ?? null;
    return { ...row, sku: row.product_id, quote, share: quote && quote / row.reference_price,
      held: stock.get(row.product_id)?.held ?? 0, sold: sold.get(row.product_id) ?? 0 };
  });
}

function matches(row, filter, basket) {
  return (!filter.category || row.category === filter.category) && (!filter.size || row.size === filter.size)
    && (filter.least === "" || row.reference_price >= Number(filter.least))
      && (filter.most === "" || row.reference_price <= Number(filter.most))
    && (!filter.basket || basket.has(row.sku));
}
