// Suppliers: those that were found or written to, with one's own history; the thread with one; bids for several goods.

import { html, useEffect } from "../../../../../components/static/preact.js";
import { counted, percent, yuan } from "../../../../../components/static/format.js";
import { ActionButton } from "../action_button.js";
import { useBasket } from "../basket.js";
import { BidTable } from "../bid_table.js";
import { DataGrid, money } from "../../../../../components/static/table.js";
import { useKept, useKnown, useTruth, useView } from "../hooks.js";
import { PRICE_LIST, letterCall } from "../negotiation_letters.js";
import { Ladders, Thread } from "../thread.js";

const COLUMNS = [
  { key: "name", title: "Supplier" },
  { key: "category", title: "Category" },
  { key: "wanted", title: "Sells of your basket", numeric: true, cell: (row) => (row.wanted
    ? `${counted(row.wanted, "product")}` : "–") },
  { key: "letters", title: "Letters", numeric: true, cell: (row) => row.letters || "–" },
  { key: "level", title: "Opening quotes", numeric: true,
    hint: "The average of its price list, in percent of the reference prices. Bargaining brings it down.",
    cell: (row) => (row.listed ? `${percent(row.level)} of reference` : row.letters ? "–" : "not asked") },
  { key: "open_bargains", title: "Open bargains", numeric: true, cell: (row) => row.open_bargains || "–" },
  { key: "orders", title: "Orders", numeric: true, cell: (row) => row.orders || "–" },
  { key: "spent", title: "Spent", numeric: true, cell: (row) => (row.spent ? yuan(row.spent) : "–") },
  { key: "kept", title: "Delivered", numeric: true, value: (row) => (row.ordered ? row.delivered / row.ordered : null),
    hint: "Units that arrived, of those ordered", cell: (row) => (row.ordered
    ? html`<span class=${row.delivered < row.ordered ? "bad" : ""}>${row.delivered} of ${row.ordered}</span>`
    : row.on_the_way ? `${row.on_the_way} on the way` : "–") },
  { key: "returns", title: "Returned", numeric: true, value: (row) => (row.sold >= 1 ? row.returned / row.sold : null),
    hint: "Share of its goods that customers sent back, and what is usual for these goods",
    cell: (row) => (row.sold >= 1 ? html`<span class=${row.suspicious ? "bad" : ""}>
    ${percent(row.returned / row.sold)} (usual ${percent(row.usual_returns / row.sold)})</span>` : "–") },
];

const HISTORY = ["letters", "open_bargains", "orders", "spent", "kept", "returns"]; // empty before the first letter

export function Suppliers({ store, goTo }) {
  const known = useKnown(store);
  const histories = useView(store, "suppliers");
  const [chosen, choose] = useKept(store, "supplier", null);
  const [basket] = useBasket(store);
  const [marked, mark] = useKept(store, "addressees", null);
  useEffect(() => { // the browser's Back closes a supplier
    const back = () => choose(history.state?.supplier ?? null);
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  if (!histories || !known) return html`<p class="muted">Looking …</p>`;
  const rows = rowsOf(store, histories, basket);
  const row = rows.find((each) => each.email === chosen);
  const open = (email) => {
    history.pushState({ supplier: email }, "", location.href);
    choose(email);
  };
  const close = () => (history.state?.supplier ? history.back() : choose(null));
  if (row) return html`<${Conversation} key=${row.email} store=${store} row=${row} goTo=${goTo} back=${close} />`;
  if (!rows.length) {
    return html`<section class="panel" aria-label="Suppliers"><h1>Suppliers</h1><p>
      No supplier has been found yet. Choose a store type on the market and find its suppliers.</p>
      <button type="button" class="primary" onClick=${() => goTo("market")}>Go to the market</button></section>`;
  }
  const wanted = [...basket].sort().join(" "); // ticks of another basket are not kept
  const ticked = marked?.basket === wanted ? marked.emails : rows.filter((each) => each.wanted)
    .map((each) => each.email);
  const selected = new Set(ticked.filter((email) => rows.some((each) => each.email === email)));
  return html`<section class="panel" aria-label="Suppliers"><h1>Suppliers</h1>
      <p class="muted">Open one to read its letters and to bargain.
        ${store.playing ? html` Tick several to write to all of them at once: a letter takes
          ${` ${store.terms.minutes.chatbox} minutes, however many read it.`}` : null}</p>
      ${store.playing ? html`<${WriteToSeveral} store=${store} goTo=${goTo}
        rows=${rows.filter((each) => selected.has(each.email))} />` : null}
      <${DataGrid} label="suppliers"
        columns=${COLUMNS.filter(({ key }) => (key === "wanted" ? basket.size : !HISTORY.includes(key)
        || rows.some((each) => each.letters)))} rows=${rows} keyOf=${(each) => each.email}
        choose=${(each) => open(each.email)}
        selected=${store.playing ? selected : null} select=${(next) => mark({ basket: wanted, emails: [...next] })} />
          </section>
    <${Asks} store=${store} rows=${rows} basket=${basket} open=${open} />`;
}

function WriteToSeveral({ store, rows, goTo }) {
  const [basket] = useBasket(store);
  if (!rows.length) return html`<section class="panel several" aria-label="Write to several suppliers"><p class="muted">
    No supplier is ticked.</p></section>`;
  const emails = rows.map((row) => row.email);
  const goods = basketGoods(store, basket, new Set(rows.map((row) => row.category)));
  return html`<section class="panel several" aria-label="Write to several suppliers"><h2>
    ${counted(rows.length, "supplier")} ticked</h2>
    <${ActionButton} store=${store} label="Ask for their price lists" calls=${[letterCall(emails, PRICE_LIST)]} />
    ${goods.length ? html`<details open><summary>Bid for the basket: ${counted(goods.length, "product")}</summary>
      <${BidTable} store=${store} emails=${emails} goods=${goods} name="several" /></details>`
      : html`<p class="muted">To bid as well, put goods into the basket first. <button type="button"
      onClick=${() => goTo("goods")}>Choose goods</button></p>`}</section>`;
}

const ASKS = [
  { key: "title", title: "Product" },
  { key: "supplier", title: "Supplier" },
  money("price", "Asks"),
  { key: "share", title: "Of reference", numeric: true, cell: (row) => percent(row.share) },
  { key: "state", title: "State", cell: (row) => html`<span class=${row.failed ? "bad" : ""}>${row.state}</span>` },
  { key: "fee", title: "Fee", value: (row) => (row.fee ? "mentions a membership fee" : ""),
    cell: (row) => (row.fee ? html`<strong class="bad">mentions a membership fee</strong>` : "–") },
];

// What each supplier asks for each product of the basket, cheapest first; of all goods while the basket is empty.
function Asks({ store, rows, basket, open }) {
  const found = asksOf(store, new Map(rows.map((row) => [row.email, row]))).filter((row) => !basket.size
    || basket.has(row.sku));
  if (!found.length) return null;
  return html`<section class="panel" aria-label="Asks"><h1>Asks</h1><p class="muted">
    What each supplier asked last for ${basket.size ? "goods of the basket" : "any product"}. Open one to bargain.</p>
    <${DataGrid} label="asks by product and supplier" columns=${ASKS} rows=${found} keyOf=${(row) => row.key}
      choose=${(row) => open(row.email)} /></section>`;
}

function asksOf(store, suppliers) {
  const asks = new Map();
  for (const [key, { supplier, sku, quote }] of store.known.quote) asks.set(key, { email: supplier, sku, price: quote,
    state: "opening quote" });
  for (const [key, { decision, price, order_error: problem,
    order_placed: placed }] of store.known.answer) {
    const state = placed ? "ordered" : decision === "Accept" ? problem ?? "agreed" : decision === "Reject"
      ? "walked away" : decision === "Offer" ? "asks" : "not decided";
    if (price != null) asks.set(key, { email: key.split(" ")[0], sku: key.split(" ")[1], price, state, failed: !placed
      && decision !== "Offer" });
  }
  return [...asks].map(([key, ask]) => {
    const [goods, row] = [store.known.product.get(ask.sku), suppliers.get(ask.email)];
    return { ...ask, key, title: goods?.title ?? ask.sku, supplier: row?.name ?? ask.email,
      share: ask.price / (goods?.reference_price ?? ask.price), fee: row?.fee ?? false };
  }).sort((a, b) => a.title.localeCompare(b.title) || a.price - b.price);
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
    <div class="row"><button type="button" onClick=${back}>‹ All suppliers</button><h1>${row.name}</h1>
      <span class="muted">${row.category}${row.member ? ", membership paid" : ""}</span>
      ${row.fee ? html`<strong class="bad">mentions a membership fee</strong>` : null}</div>
    ${truth ? html`<p class=${truth.honest ? "" : "bad"}>Hidden truth: ${truth.honest ? "honest"
      : `cheats (${truth.scam.replaceAll("_", " ")})`}, bargains in the manner "${truth.template}".</p>` : null}
    <div class="talk">
      <div>${talk ? html`<${Thread} chat=${talk} own=${store.year.own} basket=${store.playing ? basket : null}
        setBasket=${setBasket} />` : html`<p class="muted">${store.year.own ? "You have" : "The agent has"} not written
        to this supplier yet.</p>`}
        ${store.playing ? html`<${ActionButton} store=${store} label=${row.listed ? "Ask for the price list again"
          : "Ask for the price list"} primary=${!row.letters} calls=${[letterCall([row.email], PRICE_LIST)]} />` : null}
          </div>
      <div>
        ${store.playing ? html`<h2>Your decisions</h2>${goods.length ? html`${table(wanted.length ? wanted : goods)}
          ${others.length ? html`<details><summary>Open bargains for goods that are not in the basket: ${others.length}
          </summary>${table(others)}</details>` : null}`
          : html`<p class="muted">Put goods of ${row.category} into the basket to bid for them here: tick them in the
            price list, or choose them by name.</p><button type="button" onClick=${() => goTo("goods")}>Choose goods
            </button>`}` : null}
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
  const rows = new Map([...store.known.supplier.values()].filter((row) => row.supplier_name)
    .map((row) => [row.supplier_email, {
    email: row.supplier_email, name: row.supplier_name, category: row.categories_served[0], letters: 0,
      open_bargains: 0, orders: 0, spent: 0, ordered: 0, delivered: 0, on_the_way: 0, sold: 0, returned: 0,
      usual_returns: 0, suspicious: false,
  }]));
  for (const row of histories) rows.set(row.email, row);
  return [...rows.values()].map((row) => {
    const [count, shares] = listed.get(row.email) ?? [0, 0];
    return { ...row, fee: store.known.supplier.get(row.email)?.fee ?? false, listed: count, level: count
      ? shares / count : null, wanted: basketGoods(store, basket, new Set([row.category])).length };
  }).sort((a, b) => b.wanted - a.wanted || b.open_bargains - a.open_bargains || b.letters - a.letters);
}

function basketGoods(store, basket, categories) {
  return [...basket].map((sku) => store.known.product.get(sku))
    .filter((row) => row && (!row.category || categories.has(row.category)))
    .map((row) => ({ sku: row.product_id, title: row.title, reference: row.reference_price, quote: null,
      standing: null, lastBid: null, agreed: "" }));
}

// What can be decided with one supplier: its open bargains, then goods of the basket that it sells.
function bargains(store, row, talk, basket) {
  const answered = (sku) => store.known.answer.get(`${row.email} ${sku}`);
  const open = (talk?.ladders ?? []).filter((ladder) => ladder.standing != null).map((ladder) => ({
    sku: ladder.sku, title: ladder.title, reference: ladder.reference, quote: ladder.quotes[0] ?? null,
      standing: ladder.standing, lastBid: ladder.offers.at(-1) ?? null,
    agreed: ladder.outcome === "agreed"
      ? `The price was agreed, but nothing was ordered: ${answered(ladder.sku)?.order_error ?? "the order failed"}.`
      : "",
  }));
  const taken = new Set(open.map((each) => each.sku));
  const wanted = basketGoods(store, basket, new Set([row.category])).filter((each) => !taken.has(each.sku));
  return [...open, ...wanted.map((each) => ({ ...each, quote: store.known.quote.get(`${row.email} ${each.sku}`)?.quote
    ?? null }))];
}
