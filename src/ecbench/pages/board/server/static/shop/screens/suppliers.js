// Suppliers: those that were found or written to, with one's own history; the letters with one; bids for several goods.

import { Button } from "../../../../../components/static/controls.js";
import { counted, percent, yuan } from "../../../../../components/static/format.js";
import { OfferLadder } from "../../../../../components/static/offer_ladder.js";
import { html, useEffect, useRef } from "../../../../../components/static/preact.js";
import { DataGrid, money, number, text } from "../../../../../components/static/table.js";
import { ActionButton, PRICE_LIST, letterCall } from "../actions.js";
import { BidTable } from "../bid_table.js";
import { useBasket, useKept, useKnown, useTruth, useView } from "../store.js";

const SHOWN = 2; // bargains, the latest
const LONG = 1200; // characters of a letter that are shown at first
const NEVER_WRITTEN = { letters: 0, open_bargains: 0, orders: 0, spent: 0, ordered: 0, delivered: 0, on_the_way: 0,
  sold: 0, returned: 0, usual_returns: 0, suspicious: false };
const HISTORY = ["letters", "open_bargains", "orders", "spent", "kept", "returns"]; // empty before the first letter
const orNone = (key) => ({ cell: (row) => row[key] || "–" });
const alarming = (on, words) => html`<span class=${on ? "bad" : ""}>${words}</span>`;
const COLUMNS = [
  text("name", "Supplier"), text("category", "Category"),
  number("wanted", "Sells of your basket", { cell: (row) => (row.wanted ? counted(row.wanted, "product") : "–") }),
  number("letters", "Letters", orNone("letters")),
  number("level", "Opening quotes", {
    hint: "The average of its price list, in percent of the reference prices. Bargaining brings it down.",
    cell: (row) => (row.listed ? `${percent(row.level)} of reference` : row.letters ? "–" : "not asked") }),
  number("open_bargains", "Open bargains", orNone("open_bargains")), number("orders", "Orders", orNone("orders")),
  number("spent", "Spent", { cell: (row) => (row.spent ? yuan(row.spent) : "–") }),
  number("kept", "Delivered", { value: (row) => (row.ordered ? row.delivered / row.ordered : null),
    hint: "Units that arrived, of those ordered", cell: (row) => (row.ordered
      ? alarming(row.delivered < row.ordered, `${row.delivered} of ${row.ordered}`)
      : row.on_the_way ? `${row.on_the_way} on the way` : "–") }),
  number("returns", "Returned", { value: (row) => (row.sold >= 1 ? row.returned / row.sold : null),
    hint: "Share of its goods that customers sent back, and what is usual for these goods",
    cell: (row) => (row.sold >= 1 ? alarming(row.suspicious,
      `${percent(row.returned / row.sold)} (usual ${percent(row.usual_returns / row.sold)})`) : "–") }),
];
const FEE = "mentions a membership fee";
const ASKS = [text("title", "Product"), text("supplier", "Supplier"), money("price", "Asks"),
  number("share", "Of reference", { cell: (row) => percent(row.share) }),
  text("state", "State", { cell: (row) => alarming(row.failed, row.state) }),
  text("fee", "Fee", { hint: FEE, value: (row) => (row.fee ? "mentioned" : "–"),
    cell: (row) => alarming(row.fee, row.fee ? "mentioned" : "–") })];
const PRICES = [text("title", "Product"), money("reference", "Reference"), money("quote", "Opening quote"),
  number("share", "of reference", { value: (row) => row.quote / row.reference,
    cell: (row) => percent(row.quote / row.reference) }), text("delivery", "Delivery")];

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
      <${Button} class="primary" label="Go to the market" act=${() => goTo("market")} /></section>`;
  }
  const wanted = [...basket].sort().join(" "); // ticks of another basket are not kept
  const ticked = marked?.basket === wanted ? marked.emails
    : rows.filter((each) => each.wanted).map((each) => each.email);
  const selected = new Set(ticked.filter((email) => rows.some((each) => each.email === email)));
  const shown = ({ key }) => (key === "wanted" ? basket.size : !HISTORY.includes(key)
    || rows.some((each) => each.letters));
  return html`<section class="panel" aria-label="Suppliers"><h1>Suppliers</h1>
      <p class="muted">Open one to read its letters and to bargain.
        ${store.playing && ` Tick several to write to all of them at once: a letter takes ${store.terms.minutes.chatbox
          } minutes, however many read it.`}</p>
      ${store.playing && html`<${WriteToSeveral} store=${store} goTo=${goTo} basket=${basket}
        rows=${rows.filter((each) => selected.has(each.email))} />`}
      <${DataGrid} label="suppliers" columns=${COLUMNS.filter(shown)} rows=${rows} keyOf=${(each) => each.email}
        choose=${(each) => open(each.email)} selected=${store.playing ? selected : null}
        select=${(next) => mark({ basket: wanted, emails: [...next] })} /></section>
    <${Asks} store=${store} rows=${rows} basket=${basket} open=${open} />`;
}

function WriteToSeveral({ store, rows, basket, goTo }) {
  if (!rows.length) return html`<section class="panel several" aria-label="Write to several suppliers"><p class="muted">
    No supplier is ticked.</p></section>`;
  const emails = rows.map((row) => row.email);
  const goods = basketGoods(store, basket, rows.map((row) => row.category));
  return html`<section class="panel several" aria-label="Write to several suppliers">
    <h2>${counted(rows.length, "supplier")} ticked</h2>
    <${ActionButton} store=${store} label="Ask for their price lists" calls=${[letterCall(emails, PRICE_LIST)]} />
    ${goods.length ? html`<details open><summary>Bid for the basket: ${counted(goods.length, "product")}</summary>
      <${BidTable} store=${store} emails=${emails} goods=${goods} name="several" /></details>`
      : html`<p class="muted">To bid as well, put goods into the basket first. <${Button} label="Choose goods"
        act=${() => goTo("goods")} /></p>`}</section>`;
}

// What each supplier asks for each product of the basket, cheapest first; of all goods while the basket is empty.
function Asks({ store, rows, basket, open }) {
  const suppliers = new Map(rows.map((row) => [row.email, row]));
  const asks = new Map([...store.known.quote].map(([key, { quote }]) =>
    [key, { price: quote, state: "opening quote", failed: false }]));
  for (const [key, { decision, price, order_error: problem, order_placed: placed }] of store.known.answer) {
    const states = { Accept: problem ?? "agreed", Reject: "walked away", Offer: "asks" };
    const state = placed ? "ordered" : states[decision] ?? "not decided";
    if (price != null) asks.set(key, { price, state, failed: !placed && decision !== "Offer" });
  }
  const found = [...asks].map(([key, ask]) => {
    const [email, sku] = key.split(" ");
    const [goods, row] = [store.known.product.get(sku), suppliers.get(email)];
    return { ...ask, key, email, sku, title: goods?.title ?? sku, supplier: row?.name ?? email, fee: row?.fee ?? false,
      share: ask.price / (goods?.reference_price ?? ask.price) };
  }).filter((row) => !basket.size || basket.has(row.sku))
    .sort((a, b) => a.title.localeCompare(b.title) || a.price - b.price);
  if (!found.length) return null;
  return html`<section class="panel" aria-label="Asks"><h1>Asks</h1><p class="muted">
    What each supplier asked last for ${basket.size ? "goods of the basket" : "any product"}. Open one to bargain.</p>
    <${DataGrid} label="asks by product and supplier" columns=${ASKS} rows=${found} keyOf=${(row) => row.key}
      choose=${(row) => open(row.email)} /></section>`;
}

function Conversation({ store, row, goTo, back }) {
  const chat = useView(store, row.letters ? `suppliers/${encodeURIComponent(row.name)}` : "suppliers");
  const truth = useTruth(store, `suppliers/${encodeURIComponent(row.name)}`);
  const [basket, setBasket] = useBasket(store);
  const talk = row.letters && chat?.letters ? chat : null;
  const goods = bargains(store, row, talk, basket);
  const wanted = goods.filter((each) => basket.has(each.sku));
  const others = wanted.length ? goods.filter((each) => !basket.has(each.sku)) : [];
  const { own } = store.year;
  const table = (rows) => html`<${BidTable} store=${store} emails=${[row.email]} goods=${rows} name=${row.email} />`;
  return html`<section class="panel conversation" aria-label=${row.name}>
    <div class="row"><${Button} label="‹ All suppliers" act=${back} /><h1>${row.name}</h1>
      <span class="muted">${row.category}${row.member ? ", membership paid" : ""}</span>
      ${row.fee && html`<strong class="bad">${FEE}</strong>`}</div>
    ${truth && html`<p class=${truth.honest ? "" : "bad"}>Hidden truth: ${truth.honest ? "honest"
      : `cheats (${truth.scam.replaceAll("_", " ")})`}, bargains in the manner "${truth.template}".</p>`}
    <div class="talk">
      <div>${talk ? html`<${Thread} chat=${talk} own=${own} basket=${store.playing ? basket : null}
        setBasket=${setBasket} />` : html`<p class="muted">${own ? "You have" : "The agent has"} not written to this
        supplier yet.</p>`}
        ${store.playing && html`<${ActionButton} store=${store} primary=${!row.letters}
          label=${row.listed ? "Ask for the price list again" : "Ask for the price list"}
          calls=${[letterCall([row.email], PRICE_LIST)]} />`}</div>
      <div>
        ${store.playing && html`<h2>Your decisions</h2>${goods.length ? html`${table(wanted.length ? wanted : goods)}
          ${others.length > 0 && html`<details><summary>Open bargains for goods that are not in the basket:${" "}
            ${others.length}</summary>${table(others)}</details>`}`
          : html`<p class="muted">Put goods of ${row.category} into the basket to bid for them here: tick them in the
            price list, or choose them by name.</p><${Button} label="Choose goods" act=${() => goTo("goods")} />`}`}
        <h2>Bargains</h2>
        ${talk?.ladders.length ? talk.ladders.toReversed().map((ladder, at) => html`
          <details key=${`${ladder.sku} ${ladder.opened} ${at}`} open=${at < SHOWN}>
          <summary>${ladder.title}: ${outcomeOf(ladder, own)}</summary>
          <figure><${OfferLadder} ...${ladder} bidder=${own ? "you" : "the agent"} floor=${truth?.floors[ladder.sku]}
            price=${ladder.outcome === "deal" ? ladder.price : null} /></figure></details>`)
          : html`<p class="muted">No bargain yet. The price list states opening quotes; a bid opens the talks.</p>`}
      </div></div></section>`;
}

// The letters as in a messenger. Goods of a price list can be put into the `basket`, unless it is null.
function Thread({ chat, own, basket, setBasket }) {
  const box = useRef(null);
  useEffect(() => { box.current.scrollTop = box.current.scrollHeight; }, [chat.letters.length]);
  const senderOf = (mine) => (mine ? (own ? "you, " : "the agent, ") : "");
  return html`<div class="thread" ref=${box} tabindex="0" role="log" aria-label=${`Letters with ${chat.name}`}>
    ${chat.letters.map(({ mine, sent, words, prices, actions }, at) => html`<div key=${at}
      class=${mine ? "letter mine" : "letter"}><div class="muted">${senderOf(mine)}${sent}</div>
      <div>${words.length > LONG ? `${words.slice(0, LONG)} …` : words}</div>
      ${words.length > LONG && html`<details><summary>The whole letter</summary><div>${words}</div></details>`}
      ${prices.length > 0 && html`<details><summary>Price list: ${counted(prices.length, "product")}</summary>
        <${DataGrid} label="price list" columns=${PRICES} rows=${prices} keyOf=${(row) => row.sku} selected=${basket}
          select=${setBasket} /></details>`}
      ${actions.length > 0 && html`<ul class="actions">${actions.map((action) => html`<li>${action}</li>`)}</ul>`}
      </div>`)}</div>`;
}

function outcomeOf({ outcome, price, standing, closed }, own) {
  if (outcome === "deal") return `bought at ${yuan(price, 2)} on day ${closed}`;
  if (outcome === "agreed") return `${yuan(price, 2)} agreed, but nothing was ordered`;
  if (outcome === "open") return `open, the supplier asks ${yuan(standing, 2)}`;
  return `${outcome !== "AgentReject" ? "the supplier" : own ? "you" : "the agent"} walked away on day ${closed}`;
}

// Suppliers that a search has shown or that were written to, with one's own history.
function rowsOf(store, histories, basket) {
  const listed = new Map(); // products of its price list, and the sum of their quotes in shares of the reference
  for (const { supplier, quote, reference } of store.known.quote.values()) {
    const [products, shares] = listed.get(supplier) ?? [0, 0];
    listed.set(supplier, [products + 1, shares + quote / reference]);
  }
  const rows = new Map();
  for (const { supplier_email: email, supplier_name: name, categories_served: served } of store.known.supplier.values())
    if (name) rows.set(email, { ...NEVER_WRITTEN, email, name, category: served[0] });
  for (const row of histories) rows.set(row.email, row);
  return [...rows.values()].map((row) => {
    const [products, shares] = listed.get(row.email) ?? [0, 0];
    return { ...row, fee: store.known.supplier.get(row.email)?.fee ?? false, listed: products,
      level: products ? shares / products : null, wanted: basketGoods(store, basket, [row.category]).length };
  }).sort((a, b) => b.wanted - a.wanted || b.open_bargains - a.open_bargains || b.letters - a.letters);
}

function basketGoods(store, basket, categories) {
  return [...basket].map((sku) => store.known.product.get(sku))
    .filter((row) => row && (!row.category || categories.includes(row.category)))
    .map((row) => ({ sku: row.product_id, title: row.title, reference: row.reference_price, quote: null,
      standing: null, lastBid: null, agreed: "" }));
}

// What can be decided with one supplier: its open bargains, then goods of the basket that it sells.
function bargains(store, row, talk, basket) {
  const failure = (sku) => store.known.answer.get(`${row.email} ${sku}`)?.order_error ?? "the order failed";
  const open = (talk?.ladders ?? []).filter((ladder) => ladder.standing != null)
    .map(({ sku, title, reference, quotes, standing, offers, outcome }) => ({ sku, title, reference, standing,
      quote: quotes[0] ?? null, lastBid: offers.at(-1) ?? null,
      agreed: outcome === "agreed" ? `The price was agreed, but nothing was ordered: ${failure(sku)}.` : "" }));
  const wanted = basketGoods(store, basket, [row.category]).filter((each) => !open.some(({ sku }) => sku === each.sku));
  return [...open, ...wanted.map((each) => ({ ...each,
    quote: store.known.quote.get(`${row.email} ${each.sku}`)?.quote ?? null }))];
}
