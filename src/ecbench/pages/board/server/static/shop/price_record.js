// What a product has sold at each price that was asked for it so far, from the store's own sales.

import { html, useEffect, useState } from "../../../../components/static/preact.js";
import { yuan } from "../../../../components/static/format.js";
import { ask } from "../page.js";
import { trying } from "./hooks.js";
import { DataGrid, money } from "../../../../components/static/table.js";

const COLUMNS = [
  money("price", "Price"),
  { key: "days", title: "Days", numeric: true, hint: "Days on the shelf at this price; days without a sale count" },
  { key: "rate", title: "Sold a day", numeric: true, cell: (row) => row.rate.toFixed(1) },
  { key: "revenue", title: "Revenue a day", numeric: true, value: (row) => row.rate * row.price,
    cell: (row) => yuan(row.rate * row.price, 2) },
];

export function PriceRecord({ store, shop, row, close }) {
  const [sales, show] = useState(null);
  useEffect(() => {
    let wanted = true;
    trying(store, async () => {
      const found = await ask(`${store.path}/prices/${encodeURIComponent(shop.id)}`);
      if (wanted) show(found);
    });
    return () => { wanted = false; };
  }, [shop.id, store.turn]);
  if (!sales) return null;
  const days = (sales[row.sku] ?? []).filter((day) => day.day < store.day);
  return html`<section class="card" aria-label=${`Sales of ${row.title} by price`}><div class="row"><h2>${row.title}
    : sales by price</h2><button type="button" onClick=${close}>Close</button></div>
    <${DataGrid} label="sales by price" columns=${COLUMNS} rows=${byPrice(days)} keyOf=${(each) => each.price}
      empty="It has not been on the shelf for a day yet." /></section>`;
}

function byPrice(days) {
  const found = new Map();
  for (const { price, units } of days) {
    const row = found.get(price) ?? { price, days: 0, units: 0 };
    found.set(price, { price, days: row.days + 1, units: row.units + units });
  }
  return [...found.values()].map((row) => ({ ...row, rate: row.units / row.days })).sort((a, b) => a.price - b.price);
}
