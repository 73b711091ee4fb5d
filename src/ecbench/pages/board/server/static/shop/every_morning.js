// The panel of standing orders.

import { html, useEffect, useState } from "../../../../components/static/preact.js";
import { yuan } from "../../../../components/static/format.js";
import { goodsBought, keepStandingOrders, standingOrders } from "./standing_orders.js";

const SPEEDS = [["", "do not ship"], ["standard", "ship all orders, standard freight"],
  ["fast", "ship all orders, fast freight"], ["slow", "ship all orders, slow freight"]];

export function EveryMorning({ store }) {
  const orders = standingOrders(store);
  const keep = (change) => keepStandingOrders(store, { ...orders, ...change });
  const atWork = Number(Boolean(orders.ship)) + Number(orders.withdraw) + Number(
    Number(orders.list) > 0) + orders.rules.filter((rule) => !rule.stopped).length;
  return html`<details class="panel standing"><summary>
    Every morning: ${atWork ? `${atWork} standing ${atWork === 1 ? "order" : "orders"}` : "no standing orders"}
    </summary>
    <p class="muted">Done for you each morning after you close the day in this browser. It takes the same minutes as
      the buttons do.</p>
    <div class="row"><select aria-label="Shipping each morning" value=${orders.ship}
      onChange=${(event) => keep({ ship: event.target.value })}>
      ${SPEEDS.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select>
      <label><input type="checkbox" checked=${orders.withdraw}
        onChange=${(event) => keep({ withdraw: event.target.checked })} /> move the wallet to the bank</label>
      <label><input type="checkbox" checked=${Number(orders.list) > 0}
        onChange=${(event) => keep({ list: event.target.checked ? "100" : "" })} /> put goods that arrived on the shelf
        </label>
      ${orders.list === "" ? null : html`<label>at <input type="number" min="1" max="500" step="1"
        aria-label="Price of new goods in percent of the reference price" value=${orders.list}
        onInput=${(event) => keep({ list: event.target.value || "0" })} /> % of the reference price (goods already on
        the shelf keep their price)</label>`}</div>
    ${orders.rules.length ? html`<ul class="rules">
      ${orders.rules.map((rule) => html`<${Rule} key=${rule.sku} rule=${rule}
      again=${() => keep({ rules: orders.rules.map((each) => (each === rule ? { ...rule, stopped: false, said: "" }
      : each)) })} drop=${() => keep({ rules: orders.rules.filter((each) => each !== rule) })} />`)}</ul>` : null}
    <${ReorderForm} store=${store}
      add=${(rule) => keep({ rules: [...orders.rules.filter((each) => each.sku !== rule.sku), rule] })} /></details>`;
}

function Rule({ rule, again, drop }) {
  return html`<li>Order ${rule.units} of ${rule.title} when fewer than ${rule.below} are left, for at
    most ${yuan(rule.limit, 2)} each.
    ${rule.said ? html` <span class=${rule.stopped ? "bad" : "muted"}>${rule.said}.</span>` : null}
    ${rule.stopped ? html` <button type="button" onClick=${again}>Try again</button>` : null}
    <button type="button" aria-label=${`Drop the standing order of ${rule.title}`} onClick=${drop}>Drop</button></li>`;
}

function ReorderForm({ store, add }) {
  const [goods, setGoods] = useState([]);
  const [sku, setSku] = useState("");
  const [figures, setFigures] = useState({ below: "10", units: "20", limit: "" });
  useEffect(() => { goodsBought(store).then(setGoods, () => {}); }, [store.turn]);
  if (!goods.length) return html`<p class="muted">What you have bought once can be reordered for you.</p>`;
  const row = goods.find((each) => each.sku === sku) ?? goods[0];
  const limit = figures.limit === "" ? row.paid : Number(figures.limit);
  const ready = Number(figures.below) > 0 && Number(figures.units) > 0 && limit > 0;
  const submit = (event) => {
    event.preventDefault();
    if (ready) add({ sku: row.sku, title: row.title, below: Number(figures.below), units: Number(figures.units),
      limit });
  };
  const field = (name, label, value, step = "1") => html`<label>${label} <input type="number" min=${step} step=${step}
    value=${value} onInput=${(event) => setFigures({ ...figures, [name]: event.target.value })} /></label>`;
  return html`<form class="row" onSubmit=${submit}><label>Reorder <select value=${row.sku}
    onChange=${(event) => { setSku(event.target.value); setFigures({ ...figures, limit: "" }); }}>
    ${goods.map((each) => html`<option value=${each.sku}>${each.title} (last from ${each.supplier} at ${yuan(each.paid,
    2)})</option>`)}</select></label>
    ${field("below", "when fewer than so many are left:", figures.below)}
      ${field("units", "units to order", figures.units)}${field("limit", "at most, ¥ each", limit, "0.01")}
    <button type="submit" disabled=${!ready}>Add this standing order</button></form>`;
}
