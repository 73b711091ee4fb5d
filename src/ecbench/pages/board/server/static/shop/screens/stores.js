// Stores: orders to ship, and for each store its price desk, its promotion, and its end.

import { html, useState } from "../../../../../components/static/preact.js";
import { counted } from "../../../../../components/static/format.js";
import { ActionButton, later } from "../action_button.js";
import { DataGrid, money } from "../../../../../components/static/table.js";
import { Hint, useKept, useView } from "../hooks.js";
import { PriceDesk } from "../price_desk.js";

const SPEEDS = [["standard", "Standard"], ["fast", "Fast: fewer returns"], ["slow", "Slow: more returns"]];

export function Stores({ store, goTo }) {
  const desks = useView(store, "desk");
  const open = store.position.stores.filter((each) => each.is_open);
  const [chosen, choose] = useKept(store, "store", null);
  const shop = open.find((each) => each.id === chosen) ?? open[0];
  if (!shop) {
    return html`<section class="panel" aria-label="Stores"><h1>Stores</h1><p>
      No store is open. Choose a store type on the market and open a store of it.</p>
      <button type="button" class="primary" onClick=${() => goTo("market")}>Go to the market</button></section>`;
  }
  return html`<${Shipping} store=${store} />
    <section class="panel" aria-label=${shop.name}>
      ${open.length < 2 ? null : html`<div class="row tabs" role="group" aria-label="Stores">
        ${open.map((each) => html`<button key=${each.id} type="button" aria-pressed=${each === shop}
        onClick=${() => choose(each.id)}>${each.name}</button>`)}</div>`}
      <div class="row"><h1>${shop.name}</h1><span class="muted">open since ${shop.opened}
        , <${Hint} words=${`reputation ${Math.round(100 * shop.reputation)} of 100${reputationChange(shop)}`}>
        Rises with the units that you ship, falls with cancelled orders and returns. Customers buy more from a store
        with a good reputation. The change is since yesterday morning.</${Hint}>
        , ${counted(shop.shipped, "unit")} shipped</span></div>
      <${Promotions} store=${store} shop=${shop} />
      ${desks?.[shop.id] ? html`<${PriceDesk} key=${shop.id} store=${store} shop=${shop} rows=${desks[shop.id]} />`
        : html`<p class="muted">Looking …</p>`}
      ${store.playing ? html`<${CloseStore} key=${shop.id} store=${store} shop=${shop} />` : null}
    </section>`;
}

function reputationChange({ reputation, reputation_before: before }) {
  const points = Math.round(1000 * (reputation - (before ?? reputation))) / 10;
  return points ? ` (${points > 0 ? "+" : ""}${points})` : "";
}

const SHIPMENT_COLUMNS = [
  { key: "title", title: "Product" },
  { key: "store", title: "Store" },
  { key: "units", title: "Units", numeric: true },
  money("revenue", "Sold for"),
  { key: "sold_on", title: "Sold on" },
  { key: "days_left", title: "Days left", numeric: true,
    cell: (row) => html`<span class=${row.days_left <= 0 ? "bad" : ""}>${row.days_left <= 0 ? "today" : row.days_left}
    </span>` },
];

function Shipping({ store }) {
  const [speed, setSpeed] = useKept(store, "speed", "standard");
  const [selected, select] = useState(new Set());
  const names = new Map(store.position.stores.map((each) => [each.id, each.name]));
  const rows = store.position.shipments.map((row) => ({ ...row, store: names.get(row.store) ?? row.store }));
  if (!rows.length) return html`<section class="panel" aria-label="Orders to ship"><h1>Orders to ship</h1>
    <p class="muted">No order waits. What customers buy today can be shipped tomorrow morning.</p></section>`;
  const sent = selected.size ? rows.filter((row) => selected.has(row.number)) : rows;
  const cost = sent.reduce((sum, row) => sum + row.freight, 0) * (store.terms.freight_factor[speed] ?? 1);
  const ship = later(["ship_orders"],
    () => [{ name: "ship_orders", arguments: { action: "ship", speed,
    ...(selected.size ? { shipment_ids: sent.map((row) => row.number) } : {}) } }]);
  return html`<section class="panel" aria-label="Orders to ship"><h1>Orders to ship</h1>
    ${store.playing ? html`<p class="row"><label>Freight <select value=${speed}
      onChange=${(event) => setSpeed(event.target.value)}>
      ${SPEEDS.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select></label>
      <${ActionButton} store=${store} primary=${true}
        label=${selected.size ? `Ship ${sent.length} of ${rows.length} orders`
        : `Ship ${rows.length === 1 ? "this order" : `all ${rows.length} orders`}`} cost=${cost} calls=${ship}
        done=${() => select(new Set())} /></p>` : null}
    <${DataGrid} label="orders to ship" rows=${rows} keyOf=${(row) => row.number} columns=${SHIPMENT_COLUMNS}
      selected=${store.playing ? selected : null} select=${select} order=${{ key: "days_left", falling: false }} />
      </section>`;
}

function Promotions({ store, shop }) {
  const [discount, setDiscount] = useState("20");
  const { promotions } = store.position;
  const joined = shop.promotion ? html`<p class="good">In ${shop.promotion} with ${Math.round(shop.discount * 100)}
    % off.</p>` : null;
  const [least, most] = store.terms.discounts.map((share) => Math.round(100 * share));
  const join = (name) => later(["join_promotion"],
    () => [{ name: "join_promotion", arguments: { store_id: shop.id, event_name: name,
    discount_rate: Number(discount) / 100 } }]);
  if (!promotions.length || !store.playing) return joined;
  return html`${joined}<p class="row"><label>Promotion discount, percent <input type="number" min=${least} max=${most}
    value=${discount} onInput=${(event) => setDiscount(event.target.value)} /></label>
    ${promotions.filter((name) => name !== shop.promotion)
      .map((name) => html`<${ActionButton} key=${name} store=${store} label=${`Join ${name}`} calls=${join(name)} />`)}
    <span class="muted">A deeper discount on the whole shelf brings more customers while the promotion runs.</span>
      </p>`;
}

function CloseStore({ store, shop }) {
  const [asked, ask] = useState(false);
  const close = (liquidate) => [{ name: "close_store", arguments: { store_id: shop.id, liquidate } }];
  if (!asked) return html`<p><button type="button" onClick=${() => ask(true)}>Close this store …</button></p>`;
  return html`<p class="row ask">Closing is for good: opening this store type again starts its reputation over.
    <${ActionButton} store=${store} label="Close, keep the goods" calls=${close(false)} />
      <${ActionButton} store=${store} label="Close, sell the goods off" calls=${close(true)} />
    <button type="button" onClick=${() => ask(false)}>Leave it open</button></p>`;
}
