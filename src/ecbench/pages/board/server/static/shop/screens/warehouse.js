// The warehouse: what is held, how old it is, what it costs a day, and which of it is on a shelf.

import { html, useState } from "../../../../../components/static/preact.js";
import { counted, yuan } from "../../../../../components/static/format.js";
import { ActionButton } from "../action_button.js";
import { DataGrid, money } from "../../../../../components/static/table.js";
import { listings } from "../listing_plan.js";

const COLUMNS = [
  { key: "title", title: "Product" },
  { key: "category", title: "Category" },
  { key: "free", title: "Not on a shelf", numeric: true, cell: (row) => html`<span class=${row.free ? "bad" : ""}>
    ${row.free}</span>` },
  { key: "listed", title: "On a shelf", numeric: true },
  money("cost", "Unit cost"),
  money("reference", "Reference price"),
  money("storage", "Storage a day"),
  { key: "age", title: "In stock for", value: (row) => row.ages[3] * 1e9 + row.ages[2] * 1e6 + row.ages[1],
    hint: "Units by days in the warehouse; older goods cost more storage", cell: (row) => ages(row) },
];
const COMING = [
  { key: "title", title: "Product" },
  { key: "supplier", title: "Supplier" },
  { key: "units", title: "Units", numeric: true },
  money("unit_price", "Unit price"),
  { key: "placed", title: "Ordered", cell: (row) => row.placed.slice(0, 10) },
];

export function Warehouse({ store }) {
  const [selected, select] = useState(new Set());
  const rows = store.position.stock.map((row) => ({ ...row, listed: row.held - row.free }));
  const units = rows.reduce((sum, row) => sum + row.held, 0);
  const storage = rows.reduce((sum, row) => sum + row.storage, 0);
  return html`<section class="panel" aria-label="Warehouse"><div class="row"><h1>Warehouse</h1><span class="muted">
    ${counted(units, "unit")}, ${yuan(storage, 2)} storage a day</span></div>
      ${store.playing && rows.length
        ? html`<${Listing} store=${store}
        rows=${rows.filter((row) => row.free && (!selected.size || selected.has(row.sku)))} />
        <${Delisting} store=${store} skus=${selected} />` : null}
      <${DataGrid} label="goods in the warehouse" columns=${COLUMNS.filter(({ key }) => key !== "category"
        || new Set(rows.map((row) => row.category)).size > 1)} rows=${rows} keyOf=${(row) => row.sku}
        selected=${store.playing ? selected : null} select=${select}
        empty="Nothing is in stock. Goods arrive some days after they are ordered." /></section>
    <section class="panel" aria-label="On the way"><h1>On the way</h1><${DataGrid} label="orders on the way"
      columns=${COMING} rows=${store.position.coming} keyOf=${(row) => row.number} empty="No order is under way." />
      </section>`;
}

// Puts free units on the shelves of the stores that sell them.
function Listing({ store, rows }) {
  const [percent, setPercent] = useState("105");
  const stores = store.position.stores.filter((each) => each.is_open);
  const homeless = rows.filter((row) => !stores.some((shop) => shop.trade === row.trade)).length;
  if (!rows.length) return html`<p class="muted">Everything that is in stock is on a shelf.</p>`;
  return html`<div class="row"><label>Price <input type="number" min="1" max="500" step="1"
    aria-label="Price in percent of the reference price" value=${percent}
    onInput=${(event) => setPercent(event.target.value)} /> % of the reference price</label>
    ${listings(store, rows, percent, true)
      .map(({ shop, goods, call }) => html`<${ActionButton} key=${shop.id} store=${store} primary=${true}
      disabled=${!(Number(percent) > 0)} label=${`List ${counted(goods.length, "product")} in ${shop.name}`}
      calls=${[call]} />`)}
    ${homeless ? html`<span class="bad">${homeless} ${homeless === 1 ? "product has" : "products have"} no store that
      sells ${homeless === 1 ? "it" : "them"}.</span>` : null}
    <span class="muted">Lists all units that are on no shelf, or those of the ticked products. Each price can be
      changed later (screen Stores).</span></div>`;
}

function Delisting({ store, skus }) {
  const shelves = store.position.stores.map((shop) => [shop, shop.shelf.filter((row) => skus.has(row.sku)
    && row.units)]).filter(([, rows]) => rows.length);
  return shelves.map(([shop, rows]) => html`<${ActionButton} key=${shop.id} store=${store}
    label=${`Take ${counted(rows.length, "product")} off the shelf of ${shop.name}`}
    calls=${[{ name: "return_to_warehouse", arguments: { store_id: shop.id,
    items: rows.map((row) => ({ product_id: row.sku, quantity: row.units })) } }]} />`);
}

function ages(row) {
  const names = ["up to 30 days", "31 to 60 days", "61 to 90 days", "over 90 days"];
  if (row.ages.includes(row.held)) return names[row.ages.indexOf(row.held)]; // all of the same age
  return row.ages.map((units, at) => (units ? `${counted(units, "unit")} ${names[at]}` : "")).filter(Boolean)
    .join(", ");
}
