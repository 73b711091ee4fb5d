// Goods: every product that a search or a price list has shown, in one table, to be put into the basket.

import { Button, Choice, count, counted, DataGrid, html, Tick, useState } from
  "../../../../../components/static/kit.js";
import { useBasket, useKept } from "../store.js";

export function Goods({ store, goTo }) {
  const [basket, setBasket] = useBasket(store);
  const [category, setCategory] = useState("");
  const [only, setOnly] = useState(false);
  const [, openSupplier] = useKept(store, "supplier", null);
  const rows = rowsOf(store);
  if (!rows.length) {
    return html`<section class="panel" aria-label="Goods"><h1>Goods</h1><p>
      No goods have been looked up yet. Choose a store type on the market and list its goods.</p>
      <${Button} class="primary" label="Go to the market" act=${() => goTo("market")} /></section>`;
  }
  const categories = [...new Set(rows.map((row) => row.category).filter(Boolean))].sort();
  const shown = rows.filter((row) => ["", row.category].includes(category) && (!only || basket.has(row.sku)));
  const bargain = () => {
    openSupplier(null); // all suppliers, not the one that was read last; those that sell the basket are ticked there
    goTo("suppliers");
  };
  return html`<section class="panel" aria-label="Goods"><div class="row"><h1>Goods</h1>
      <span class="muted">${count(rows.length)} products found so far. What you have found stays here.</span></div>
    <div class="row filters"><${Choice} aria-label="All categories" value=${category} set=${setCategory}
        choices=${[["", "All categories"], ...categories]} />
      <${Tick} label="only the basket" on=${only} set=${setOnly} /></div>
    <${DataGrid} table="goods" rows=${shown}
      selected=${store.playing ? basket : null} select=${setBasket} />
    ${store.playing && html`<p class="row basket" role="status"><strong>${basket.size
      ? `${counted(basket.size, "product")} in the basket`
      : "The basket is empty: tick the goods that you want to buy."}</strong>
      ${basket.size > 0 && html`<${Button} class="primary" label=${`Bargain for ${basket.size === 1 ? "it" : "them"}`}
        act=${bargain} /><${Button} label="Empty the basket" act=${() => setBasket([])} />`}</p>`}</section>`;
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
