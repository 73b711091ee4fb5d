// The warehouse: what is held, how old it is, what it costs a day, and which of it is on a shelf.

import { cell, counted, DataGrid, Field, html, useState, yuan } from "../../../../../components/static/kit.js";
import { ActionButton, call, listings } from "../actions.js";

const AGES = ["up to 30 days", "31 to 60 days", "61 to 90 days", "over 90 days"];

export function Warehouse({ store }) {
  const [selected, select] = useState(new Set());
  const { stock, coming, stores } = store.position;
  const sum = (key) => stock.reduce((total, row) => total + row[key], 0);
  const rows = stock.map((row) => ({ ...row, free: cell(row.free, row.free, row.free > 0),
    listed: row.held - row.free, age: ageOf(row) }));
  const delisted = (shop) => shop.shelf.filter((row) => selected.has(row.sku) && row.units)
    .map((row) => ({ product_id: row.sku, quantity: row.units }));
  return html`<section class="panel" aria-label="Warehouse"><div class="row"><h1>Warehouse</h1>
      <span class="muted">${counted(sum("held"), "unit")}, ${yuan(sum("storage"), 2)} storage a day</span></div>
      ${store.playing && stock.length > 0 && html`<${Listing} store=${store}
        rows=${stock.filter((row) => row.free && (!selected.size || selected.has(row.sku)))} />
        ${stores.map((shop) => [shop, delisted(shop)]).filter(([, items]) => items.length).map(([shop, items]) => html`
          <${ActionButton} key=${shop.id} store=${store}
            label=${`Take ${counted(items.length, "product")} off the shelf of ${shop.name}`}
            calls=${[call("return_to_warehouse", { store_id: shop.id, items })]} />`)}`}
      <${DataGrid} table="goods in the warehouse" rows=${rows} selected=${store.playing ? selected : null}
        select=${select} /></section>
    <section class="panel" aria-label="On the way"><h1>On the way</h1>
      <${DataGrid} table="orders on the way" rows=${coming} /></section>`;
}

// Puts free units on the shelves of the stores that sell them, under `conduct` with a price that is crossed out.
function Listing({ store, rows }) {
  const [percent, setPercent] = useState("105");
  const [former, setFormer] = useState("");
  const types = store.position.stores.filter((each) => each.is_open).map((each) => each.store_type);
  const homeless = rows.filter((row) => !types.includes(row.store_type)).length;
  if (!rows.length) return html`<p class="muted">Everything that is in stock is on a shelf.</p>`;
  const share = Number(former) / Number(percent);
  const formerOf = (price) => (share > 0 ? Number((price * share).toFixed(2)) : null);
  return html`<div class="row"><${Field} label="Price" min="1" max="500" step="1" value=${percent} set=${setPercent}
      aria-label="Price in percent of the reference price" after=" % of the reference price" />
    ${store.terms.conduct && html`<${Field} label="crossed out" min="1" step="1" value=${former} set=${setFormer}
      aria-label="Former price in percent of the reference price" after=" %, empty for none" />`}
    ${listings(store, rows, Number(percent), true, formerOf).map(({ shop, goods, call: publish }) => html`
      <${ActionButton} key=${shop.id} store=${store} primary=${true} disabled=${!(Number(percent) > 0)}
        label=${`List ${counted(goods.length, "product")} in ${shop.name}`} calls=${[publish]} />`)}
    ${homeless > 0 && html`<span class="bad">${counted(homeless, "product has no store that sells it.",
      "products have no store that sells them.")}</span>`}
    <span class="muted">Lists all units that are on no shelf, or those of the ticked products. Each price can be
      changed later (screen Stores).</span></div>`;
}

// Sorted by the oldest.
function ageOf({ ages, held }) {
  const told = ages.includes(held) ? AGES[ages.indexOf(held)] // all of the same age
    : ages.map((units, at) => (units ? `${counted(units, "unit")} ${AGES[at]}` : "")).filter(Boolean).join(", ");
  return cell(ages[3] * 1e9 + ages[2] * 1e6 + ages[1], told);
}
