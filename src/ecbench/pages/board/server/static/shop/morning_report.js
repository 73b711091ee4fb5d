// What the night brought: sales of yesterday, returns, and goods that arrived.

import { html } from "../../../../components/static/preact.js";
import { counted, yuan } from "../../../../components/static/format.js";
import { DataGrid, money } from "../../../../components/static/table.js";
import { useView } from "./hooks.js";

const KINDS = { delivery: "Delivery", event: "Event", fulfilment: "Orders", penalty: "Charge", promotion: "Promotion",
  balance: "Balance" };
const GRAVE = ["fulfilment", "penalty", "balance"];
const COLUMNS = [
  { key: "title", title: "Product" },
  { key: "store", title: "Store" },
  { key: "sold", title: "Sold", numeric: true },
  money("revenue", "For"),
  { key: "returned", title: "Came back", numeric: true, cell: (row) => (row.returned ? html`<span class="bad">
    ${row.returned} (${yuan(row.refunds, 2)})</span>` : "–") },
];

export function MorningReport({ store }) {
  const night = useView(store, "morning");
  if (!night || store.day === 0) return null;
  const sum = (key) => night.sales.reduce((total, row) => total + row[key], 0);
  const [sold, returned] = [sum("sold"), sum("returned")];
  const [short, whole] = [night.arrivals.filter(isShort), night.arrivals.filter((each) => !isShort(each))];
  const shops = new Set(night.sales.map((row) => row.store)).size;
  return html`<section class="panel" aria-label="This morning"><h1>This morning</h1>
    <${News} notices=${store.position.news} />
    <${Arrivals} rows=${short} />
    ${whole.length ? html`<details><summary>${counted(whole.length, "order")} arrived complete</summary>
      <${Arrivals} rows=${whole} /></details>` : null}
    <p>${sold ? html`Yesterday ${sold === 1 ? "1 unit was" : `${sold.toLocaleString("en")} units were`} sold
      for <strong>${yuan(sum("revenue"), 2)}</strong>.` : "Nothing was sold yesterday."}
      ${returned ? html` <span class="bad">${returned === 1 ? "1 unit" : `${returned} units`} came
      back: ${yuan(sum("refunds"), 2)} refunded.</span>` : null}</p>
    ${night.sales.length ? html`<details><summary>By product</summary><${DataGrid} label="yesterday's sales"
      columns=${COLUMNS.filter((each) => shops > 1 || each.key !== "store")} rows=${night.sales}
      keyOf=${(row) => `${row.store} ${row.sku}`} /></details>` : null}</section>`;
}

// Every notification that a model gets with its replies, in the same words.
function News({ notices }) {
  if (!notices.length) return null;
  return html`<ul class="news" aria-label="Notifications">
    ${notices.map(([, day, kind, content], at) => html`<li key=${at} class=${GRAVE.includes(kind) ? "bad" : ""}><strong>
    ${KINDS[kind] ?? kind}:</strong> ${content}${day === notices.at(-1)[1] ? "" : ` (day ${day})`}</li>`)}</ul>`;
}

function isShort({ delivered, ordered }) {
  return delivered < ordered;
}

function Arrivals({ rows }) {
  if (!rows.length) return null;
  return html`<ul class="arrivals">
    ${rows.map((each, at) => html`<li key=${at}><strong>${isShort(each) ? `${each.delivered} of ${each.ordered}`
    : each.delivered} ${each.ordered === 1 ? "unit" : "units"}</strong> of ${each.title} arrived from ${each.supplier}
    ${isShort(each) ? html`: <span class="bad">${each.ordered - each.delivered} missing</span>` : "."}</li>`)}</ul>`;
}
