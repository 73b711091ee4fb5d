// Goods: every product that a search or a price list has shown, in one table, to be put into the basket.

import { Button, Choice, Field, Tick } from "../../../../../components/static/controls.js";
import { count, counted, percent } from "../../../../../components/static/format.js";
import { html, useState } from "../../../../../components/static/preact.js";
import { DataGrid, money, number, text } from "../../../../../components/static/table.js";
import { useBasket, useKept, useKnown } from "../store.js";

const COLUMNS = [
  text("title", "Product"), text("category", "Category"),
  text("size", "Parcel size", { hint: "Larger parcels cost more to ship and to store" }),
  money("reference_price", "Reference price", { hint: "What customers take for a normal price" }),
  money("quote", "Lowest opening quote", { hint: "Of the price lists that you have read" }),
  number("share", "Quote of reference", { cell: (row) => (row.share == null ? "–" : percent(row.share)) }),
  number("held", "In stock"), number("sold", "Sold"),
  text("seen", "Looked up", { cell: (row) => `day ${row.seen}`, hint: "The day on which you last looked it up" }),
];
const NO_FILTER = { category: "", size: "", least: "", most: "", basket: false };

export function Goods({ store, goTo }) {
  const known = useKnown(store);
  const [basket, setBasket] = useBasket(store);
  const [filter, setFilter] = useState(NO_FILTER);
  if (!known) return html`<p class="muted">Looking …</p>`;
  const rows = rowsOf(store);
  if (!rows.length) {
    return html`<section class="panel" aria-label="Goods"><h1>Goods</h1><p>
      No goods have been looked up yet. Choose a store type on the market and list its goods.</p>
      <${Button} class="primary" label="Go to the market" act=${() => goTo("market")} /></section>`;
  }
  const filled = { category: new Set(rows.map((row) => row.category)).size > 1,
    quote: rows.some((row) => row.quote != null), held: rows.some((row) => row.held || row.sold) };
  const shown = { ...filled, share: filled.quote, sold: filled.held };
  return html`<section class="panel" aria-label="Goods"><div class="row"><h1>Goods</h1>
      <span class="muted">${count(rows.length)} products found so far. What you have found stays here.</span></div>
    <${Filters} rows=${rows} filter=${filter} set=${(change) => setFilter({ ...filter, ...change })} />
    <${DataGrid} label="goods" columns=${COLUMNS.filter(({ key }) => shown[key] ?? true)}
      rows=${rows.filter((row) => matches(row, filter, basket))} keyOf=${(row) => row.sku}
      selected=${store.playing ? basket : null} select=${setBasket} empty="No product matches these filters." />
    ${store.playing && html`<${BasketLine} store=${store} basket=${basket} setBasket=${setBasket} goTo=${goTo} />`}
    </section>`;
}

function Filters({ rows, filter, set }) {
  const choice = (name, all) => {
    const names = [...new Set(rows.map((row) => row[name]).filter(Boolean))].sort();
    return names.length > 1 && html`<${Choice} aria-label=${all} choices=${[["", all], ...names]} value=${filter[name]}
      set=${(value) => set({ [name]: value })} />`;
  };
  const price = (name, label) => html`<${Field} label=${label} min="0" size="6" value=${filter[name]}
    set=${(value) => set({ [name]: value })} />`;
  return html`<div class="row filters">${choice("category", "All categories")}${choice("size", "All parcel sizes")}
    ${price("least", "Price from ¥")}${price("most", "to ¥")}
    <${Tick} label="only the basket" on=${filter.basket} set=${(basket) => set({ basket })} /></div>`;
}

function BasketLine({ store, basket, setBasket, goTo }) {
  const [, open] = useKept(store, "supplier", null);
  const bargain = () => {
    open(null); // all suppliers, not the one that was read last; those that sell the basket are ticked there
    goTo("suppliers");
  };
  return html`<p class="row basket" role="status"><strong>${basket.size
    ? `${counted(basket.size, "product")} in the basket`
    : "The basket is empty: tick the goods that you want to buy."}</strong>
    ${basket.size > 0 && html`<${Button} class="primary" label=${`Bargain for ${basket.size === 1 ? "it" : "them"}`}
      act=${bargain} /><${Button} label="Empty the basket" act=${() => setBasket([])} />`}</p>`;
}

// Products with what is known of them: the lowest opening quote of all price lists, and one's own stock and sales.
function rowsOf(store) {
  const quotes = new Map();
  for (const { sku, quote } of store.known.quote.values()) {
    quotes.set(sku, Math.min(quote, quotes.get(sku) ?? Infinity));
  }
  const stock = new Map(store.position.stock.map((row) => [row.sku, row.held]));
  const sold = new Map(store.position.stores.flatMap((each) => each.shelf).map((row) => [row.sku, row.sold]));
  return [...store.known.product.values()].map((row) => {
    const [sku, quote] = [row.product_id, quotes.get(row.product_id) ?? null];
    return { ...row, sku, quote, share: quote && quote / row.reference_price, held: stock.get(sku) ?? 0,
      sold: sold.get(sku) ?? 0 };
  });
}

function matches(row, { category, size, least, most, basket: only }, basket) {
  return (!category || row.category === category) && (!size || row.size === size)
    && row.reference_price >= Number(least) && row.reference_price <= Number(most || Infinity)
    && (!only || basket.has(row.sku));
}
