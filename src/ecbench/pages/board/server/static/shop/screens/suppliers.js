// Suppliers: those that were found or written to, with one's own history; the thread with one; bids for several goods.

import { html } from "../../../components/preact.js";
import { yuan } from "../../../components/dom.js";
import { ActionButton } from "../action_button.js";
import { useBasket } from "../basket.js";
import { BidTable } from "../bid_table.js";
import { DataGrid } from "../data_grid.js";
import { useKept, useTruth, useView } from "../hooks.js";
import { PRICE_LIST, letterCall } from "../negotiation_letters.js";
import { Ladders, Thread } from "../thread.js";

const percent = (share) => `${Math.round(100 * share)}%`;

const COLUMNS = [
  { key: "name", title: "Supplier" },
  { key: "category", title: "Category" },
  { key: "wanted", title: "Sells of your basket", numeric: true, cell: (row) => (row.wanted ? `${row.wanted} ${row.wanted === 1 ? "product" : "products"}` : "–") },
  { key: "letters", title: "Letters", numeric: true, cell: (row) => row.letters || "–" },
  { key: "level", title: "Opening quotes", numeric: true, hint: "The average of its price list, in percent of the reference prices. Bargaining brings it down.", cell: (row) => (row.listed ? `${percent(row.level)} of reference` : row.letters ? "–" : "not asked") },
  { key: "open_bargains", title: "Open bargains", numeric: true, cell: (row) => row.open_bargains || "–" },
  { key: "orders", title: "Orders", numeric: true, cell: (row) => row.orders || "–" },
  { key: "spent", title: "Spent", numeric: true, cell: (row) => (row.spent ? yuan(row.spent) : "–") },
  { key: "kept", title: "Delivered", numeric: true, value: (row) => (row.ordered ? row.delivered / row.ordered : null), hint: "Units that arrived, of those ordered", cell: (row) => (row.ordered ? html`<span class=${row.delivered < row.ordered ? "bad" : ""}>${row.delivered} of ${row.ordered}</span>` : row.on_the_way ? `${row.on_the_way} on the way` : "–") },
  { key: "returns", title: "Returned", numeric: true, value: (row) => (row.sold >= 1 ? row.returned / row.sold : null), hint: "Share of its goods that customers sent back, and what is usual for these goods", cell: (row) => (row.sold >= 1 ? html`<span class=${row.suspicious ? "bad" : ""}>${percent(row.returned / row.sold)} (usual ${percent(row.usual_returns / row.sold)})</span>` : "–") },
];

const HISTORY = ["letters", "open_bargains", "orders", "spent", "kept", "returns"]; // empty before the first letter

export function Suppliers({ store, goTo }) {
  const histories = useView(store, "suppliers");
  const [chosen, choose] = useKept(store, "supplier", null);
  const [marked, mark] = useKept(store, "addressees", []);
  const [basket] = useBasket(store);
  if (!histories) return html`<p class="muted">Looking …</p>`;
  const rows = rowsOf(store, histories, basket);
  const row = rows.find((each) => each.email === chosen);
  if (row) return html`<${Conversation} key=${row.email} store=${store} row=${row} goTo=${goTo} back=${() => choose(null)} />`;
  if (!rows.length) {
    return html`<section class="panel" aria-label="Suppliers"><h1>Suppliers</h1><p>No supplier has been found yet. Choose a trade on the market and find its suppliers.</p>
      <button type="button" class="primary" onClick=${() => goTo("market")}>Go to the market</button></section>`;
  }
  const selected = new Set(marked.filter((email) => rows.some((each) => each.email === email)));
  return html`<section class="panel" aria-label="Suppliers"><h1>Suppliers</h1>
      <p class="muted">Open one to read its letters and to bargain. ${store.playing ? `Tick several to write to all of them at once: a letter takes ${store.terms.minutes.chatbox} minutes, however many read it.` : ""}</p>
      ${store.playing ? html`<${WriteToSeveral} store=${store} goTo=${goTo} rows=${rows.filter((each) => selected.has(each.email))} />` : null}
      <${DataGrid} label="suppliers" columns=${COLUMNS.filter(({ key }) => (key === "wanted" ? basket.size : !HISTORY.includes(key) || rows.some((each) => each.letters)))} rows=${rows} keyOf=${(each) => each.email} choose=${(each) => choose(each.email)}
        selected=${store.playing ? selected : null} select=${(next) => mark([...next])} /></section>`;
}

function WriteToSeveral({ store, rows, goTo }) {
  const [basket] = useBasket(store);
  if (!rows.length) return null;
  const emails = rows.map((row) => row.email);
  const goods = basketGoods(store, basket, new Set(rows.map((row) => row.category)));
  return html`<section class="panel several" aria-label="Write to several suppliers"><h2>${rows.length} ${rows.length === 1 ? "supplier" : "suppliers"} ticked</h2>
    <${ActionButton} store=${store} label="Ask for their price lists" calls=${[letterCall(emails, PRICE_LIST)]} />
    ${goods.length ? html`<details><summary>Bid for the basket: ${goods.length} ${goods.length === 1 ? "product" : "products"}</summary><${BidTable} store=${store} emails=${emails} goods=${goods} name=${`several ${emails.join(" ")}`} /></details>` : html`<p class="muted">To bid as well, put goods into the basket first. <button type="button" onClick=${() => goTo("goods")}>Choose goods</button></p>`}</section>`;
}

function Conversation({ store, row, goTo, back }) {
  const chat = useView(store, row.letters ? `suppliers/${encodeURIComponent(row.name)}` : "suppliers");
  const truth = useTruth(store, `suppliers/${encodeURIComponent(row.name)}`);
  const [basket, setBasket] = useBasket(store);
  const talk = row.letters && chat?.letters ? chat : null;
  const goods = bargains(store, row, talk, basket);
  const wanted = goods.filter((each) => basket.has(each.sku));
  const others = wanted.length ? goods.filter((each) => !basket.has(each.sku)) : [];
  const table = (rows) => html`<${BidTable} store=${store} emails=${[row.email]} goods=${rows} name=${row.email} />`;
  return html`<section class="panel conversation" aria-label=${row.name}>
    <div class="row"><button type="button" onClick=${back}>‹ All suppliers</button><h1>${row.name}</h1><span class="muted">${row.category}${row.member ? ", membership paid" : ""}</span></div>
    ${truth ? html`<p class=${truth.honest ? "" : "bad"}>Hidden truth: ${truth.honest ? "honest" : `cheats (${truth.scam.replaceAll("_", " ")})`}, bargains in the manner "${truth.template}".</p>` : null}
    <div class="talk">
      <div>${talk ? html`<${Thread} chat=${talk} own=${store.year.own} basket=${store.playing ? basket : null} setBasket=${setBasket} />` : html`<p class="muted">${store.year.own ? "You have" : "The agent has"} not written to this supplier yet.</p>`}
        ${store.playing ? html`<${ActionButton} store=${store} label=${row.listed ? "Ask for the price list again" : "Ask for the price list"} primary=${!row.letters} calls=${[letterCall([row.email], PRICE_LIST)]} />` : null}</div>
      <div>
        ${store.playing ? html`<h2>Your decisions</h2>${goods.length ? html`${table(wanted.length ? wanted : goods)}${others.length ? html`<details><summary>Open bargains for goods that are not in the basket: ${others.length}</summary>${table(others)}</details>` : null}`
          : html`<p class="muted">Put goods of ${row.category} into the basket to bid for them here: tick them in the price list, or choose them by name.</p><button type="button" onClick=${() => goTo("goods")}>Choose goods</button>`}` : null}
        <h2>Bargains</h2><${Ladders} ladders=${talk?.ladders ?? []} own=${store.year.own} floors=${truth?.floors} />
      </div></div></section>`;
}

// Suppliers that a search has shown or that were written to, with one's own history.
function rowsOf(store, histories, basket) {
  const listed = new Map(); // products of its price list, and the sum of their quotes in shares of the reference
  for (const { supplier, quote, reference } of store.known.quote.values()) {
    const [count, shares] = listed.get(supplier) ?? [0, 0];
    listed.set(supplier, [count + 1, shares + quote / reference]);
  }
  const rows = new Map([...store.known.supplier.values()].map((row) => [row.supplier_email, {
    email: row.supplier_email, name: row.supplier_name, category: row.categories_served[0], letters: 0, open_bargains: 0, orders: 0, spent: 0, ordered: 0, delivered: 0, on_the_way: 0, sold: 0, returned: 0, usual_returns: 0, suspicious: false,
  }]));
  for (const row of histories) rows.set(row.email, row);
  return [...rows.values()].map((row) => {
    const [count, shares] = listed.get(row.email) ?? [0, 0];
    return { ...row, listed: count, level: count ? shares / count : null, wanted: basketGoods(store, basket, new Set([row.category])).length };
  }).sort((a, b) => b.wanted - a.wanted || b.open_bargains - a.open_bargains || b.letters - a.letters);
}

function basketGoods(store, basket, categories) {
  return [...basket].map((sku) => store.known.product.get(sku)).filter((row) => row && (!row.category || categories.has(row.category)))
    .map((row) => ({ sku: row.product_id, title: row.title, reference: row.reference_price, quote: null, standing: null, lastBid: null, agreed: "" }));
}

// What can be decided with one supplier: its open bargains, then goods of the basket that it sells.
function bargains(store, row, talk, basket) {
  const answered = (sku) => store.known.answer.get(`${row.email} ${sku}`);
  const open = (talk?.ladders ?? []).filter((ladder) => ladder.standing != null).map((ladder) => ({
    sku: ladder.sku, title: ladder.title, reference: ladder.reference, quote: ladder.quotes[0] ?? null, standing: ladder.standing, lastBid: ladder.offers.at(-1) ?? null,
    agreed: ladder.outcome === "agreed" ? `The price was agreed, but nothing was ordered: ${answered(ladder.sku)?.order_error ?? "the order failed"}.` : "",
  }));
  const taken = new Set(open.map((each) => each.sku));
  const wanted = basketGoods(store, basket, new Set([row.category])).filter((each) => !taken.has(each.sku));
  return [...open, ...wanted.map((each) => ({ ...each, quote: store.known.quote.get(`${row.email} ${each.sku}`)?.quote ?? null }))];
}
