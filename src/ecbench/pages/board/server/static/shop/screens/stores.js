// Stores: orders to ship, and for each store its price desk, its promotion, and its end.

import { Button, cell, Choice, Confirm, counted, DataGrid, Field, Hint, html, percent, useState } from
  "../../../../../components/static/kit.js";
import { ActionButton, call } from "../actions.js";
import { PriceDesk } from "../price_desk.js";
import { kept, keep, useKept } from "../store.js";

const SPEEDS = [["standard", "Standard"], ["fast", "Fast: fewer returns"], ["slow", "Slow: more returns"]];

export function storesViews(store) {
  const shop = shopOf(store);
  return ["desk", ...(shop && store.truth ? [`truth/stores/${encodeURIComponent(shop.id)}`] : [])];
}

// The store that was chosen, or the first one.
function shopOf(store) {
  const open = store.position.stores.filter((each) => each.is_open);
  return open.find((each) => each.id === kept(store, "store")) ?? open[0];
}

export function Stores({ store, goTo }) {
  const shop = shopOf(store);
  const open = store.position.stores.filter((each) => each.is_open);
  if (!shop) {
    return html`<section class="panel" aria-label="Stores"><h1>Stores</h1><p>
      No store is open. Choose a store type on the market and open a store of it.</p>
      <${Button} class="primary" label="Go to the market" act=${() => goTo("market")} /></section>`;
  }
  const points = Math.round(1000 * (shop.reputation - (shop.reputation_before ?? shop.reputation))) / 10;
  const change = points ? ` (${points > 0 ? "+" : ""}${points})` : "";
  return html`<${Shipping} store=${store} />
    <section class="panel" aria-label=${shop.name}>
      ${open.length > 1 && html`<div class="row tabs" role="group" aria-label="Stores">
        ${open.map((each) => html`<${Button} key=${each.id} aria-pressed=${each === shop} label=${each.name}
          act=${() => keep(store, "store", each.id)} />`)}</div>`}
      <div class="row"><h1>${shop.name}</h1><span class="muted">open since ${shop.opened}, <${Hint}
        words=${`reputation ${Math.round(100 * shop.reputation)} of 100${change}`}>
        Rises with the units that you ship, falls with cancelled orders and returns. Customers buy more from a store
        with a good reputation. The change is since yesterday morning.</${Hint}>, ${counted(shop.shipped, "unit")}${" "}
        shipped</span></div>
      <${Promotions} store=${store} shop=${shop} />
      <${PriceDesk} key=${shop.id} store=${store} shop=${shop} />
      ${store.playing && html`<${CloseStore} key=${`close ${shop.id}`} store=${store} shop=${shop} />`}</section>`;
}

function Shipping({ store }) {
  const [speed, setSpeed] = useKept(store, "speed", "standard");
  const [selected, select] = useState(new Set());
  const names = new Map(store.position.stores.map((each) => [each.id, each.name]));
  const rows = store.position.shipments.map((row) => ({ ...row, store: names.get(row.store) ?? row.store,
    days_left: row.days_left <= 0 ? cell(row.days_left, "today", true) : row.days_left }));
  const sent = selected.size ? rows.filter((row) => selected.has(row.number)) : rows;
  const cost = sent.reduce((sum, row) => sum + row.freight, 0) * (store.terms.freight_factor[speed] ?? 1);
  const given = { action: "ship", speed, ...(selected.size ? { shipment_ids: sent.map((row) => row.number) } : {}) };
  const label = selected.size ? `Ship ${sent.length} of ${rows.length} orders`
    : `Ship ${rows.length === 1 ? "this order" : `all ${rows.length} orders`}`;
  return html`<section class="panel" aria-label="Orders to ship"><h1>Orders to ship</h1>
    ${store.playing && rows.length > 0 && html`<p class="row">
      <${Choice} label="Freight" choices=${SPEEDS} value=${speed} set=${setSpeed} />
      <${ActionButton} store=${store} primary=${true} label=${label} cost=${cost} calls=${[call("ship_orders", given)]}
        done=${() => select(new Set())} /></p>`}
    <${DataGrid} table="orders to ship" rows=${rows} selected=${store.playing ? selected : null} select=${select}
      order=${{ key: "days_left", falling: false }} /></section>`;
}

function Promotions({ store, shop }) {
  const [discount, setDiscount] = useState("20");
  const offered = store.position.promotions.filter((name) => name !== shop.promotion);
  const [least, most] = store.terms.discounts.map((share) => Math.round(100 * share));
  const join = (name) => call("join_promotion", { store_id: shop.id, event_name: name,
    discount_rate: Number(discount) / 100 });
  return html`${shop.promotion && html`<p class="good">In ${shop.promotion} with ${percent(shop.discount)} off.</p>`}
    ${offered.length > 0 && store.playing && html`<p class="row">
      <${Field} label="Promotion discount, percent" min=${least} max=${most} value=${discount} set=${setDiscount} />
      ${offered.map((name) => html`<${ActionButton} key=${name} store=${store} label=${`Join ${name}`}
        calls=${[join(name)]} />`)}
      <span class="muted">A deeper discount on the whole shelf brings more customers while the promotion runs.</span>
      </p>`}`;
}

function CloseStore({ store, shop }) {
  const close = (liquidate) => [call("close_store", { store_id: shop.id, liquidate })];
  return html`<p><${Confirm} label="Close this store …" no="Leave it open"
    question="Closing is for good: opening this store type again starts its reputation over.">
    <${ActionButton} store=${store} label="Close, keep the goods" calls=${close(false)} />
    <${ActionButton} store=${store} label="Close, sell the goods off" calls=${close(true)} /></${Confirm}></p>`;
}
