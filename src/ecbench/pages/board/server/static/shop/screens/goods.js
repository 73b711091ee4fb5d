// Goods: every product that a search or a price list has shown, in one table, to be put into the basket.

import { Button, Choice, Field, Tick } from "../../../../../components/static/controls.js";
import { count, counted } from "../../../../../components/static/format.js";
import { html, useState } from "../../../../../components/static/preact.js";
import { DataGrid } from "../../../../../components/static/table.js";
import { useBasket, useKept } from "../store.js";

const NO_FILTER = { category: "", size: "", least: "", most: "", basket: false };

export function Goods({ store, goTo }) {
  const [basket, setBasket] = useBasket(store);
  const [filter, setFilter] = useState(NO_FILTER);
  const [, openSupplier] = useKept(store, "supplier", null);
  const rows = rowsOf(store);
  if (!rows.length) {
    return html`<section class="panel" aria-label="Goods"><h1>Goods</h1><p>
      No goods have been looked up yet. Choose a store type on the market and list its goods.</p>
      <${Button} class="primary" label="Go to the market" act=${() => goTo("market")} /></section>`;
  }
  const bargain = () => {
    openSupplier(null); // all suppliers, not the one that was read last; those that sell the basket are ticked there
    goTo("suppliers");
  };
  return html`<section class="panel" aria-label="Goods"><div class="row"><h1>Goods</h1>
      <span class="muted">${count(rows.length)} products found so far. What you have found stays here.</span></div>
    <${Filters} rows=${rows} filter=${filter} set=${(change) => setFilter({ ...filter, ...change })} />
    <${DataGrid} table="goods" rows=${rows.filter((row) => matches(row, filter, basket))}
      selected=${store.playing ? basket : null} select=${setBasket} />
    ${store.playing && html`<p class="row basket" role="status"><strong>${basket.size
      ? `${counted(basket.size, "product")} in the basket`
      : "The basket is empty: tick the goods that you want to buy."}</strong>
      ${basket.size > 0 && html`<${Button} class="primary" label=${`Bargain for ${basket.size === 1 ? "it" : "them"}`}
        act=${bargain} /><${Button} label="Empty the basket" act=${() => setBasket([])} />`}</p>`}</section>`;
}

function Filters({ rows, filter, set }) {
  const field = (name) => ({ value: filter[name], set: (value) => set({ [name]: value }) });
  const choice = (name, all) => {
    const names = [...new Set(rows.map((row) => row[name]).filter(Boolean))].sort();
    return names.length > 1 && html`<${Choice} aria-label=${all} choices=${[["", all], ...names]} ...${field(name)} />`;
  };
  return html`<div class="row filters">${choice("category", "All categories")}${choice("size", "All parcel sizes")}
    <${Field} label="Price from ¥" min="0" size="6" ...${field("least")} />
    <${Field} label="to ¥" min="0" size="6" ...${field("most")} />
    <${Tick} label="only the basket" on=${filter.basket} set=${(basket) => set({ basket })} /></div>`;
}

// Products with what is known of them: the lowest opening quote of all price lists, and one's own stock and sales.
function rowsOf({ known, position }) {
  const quotes = new Map();
  for (const { sku, quote } of known.ask.values()) {
    if (quote != null) quotes.set(sku, Math.min(quote, quotes.get(sku) ?? Infinity));
  }
  const stock = new Map(position.stock.map((row) => [row.sku, row.held]));
  const sold = new Map(position.stores.flatMap((each) => each.shelf).map((row) => [row.sku, row.sold]));
  return [...known.product.values()].map((row) => {
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
