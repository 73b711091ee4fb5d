// Suppliers: those that were found or written to, with one's own history; the letters with one; bids for several goods.

import { Button, cell, counted, DataGrid, html, Part, percent, useEffect, yuan } from
  "../../../../../components/static/kit.js";
import { ActionButton, PRICE_LIST, letterCall } from "../actions.js";
import { BidTable } from "../bid_table.js";
import { kept, useBasket, useKept } from "../store.js";

const SHOWN = 2; // bargains, the latest
const NEVER_WRITTEN = { letters: 0, open_bargains: 0, orders: 0, spent: 0, ordered: 0, delivered: 0, on_the_way: 0,
  sold: 0, returned: 0, usual_returns: 0, suspicious: false };

// The views of the screen: all suppliers, the one that is open, and the truth about it.
export function suppliersViews(store) {
  const email = kept(store, "supplier");
  const written = store.shown.suppliers?.find((row) => row.email === email)?.name;
  const name = written ?? store.known.supplier.get(email)?.supplier_name;
  return ["learned", "suppliers", ...(written ? [chatOf(written)] : []),
    ...(name && store.truth ? [truthOf(name)] : [])];
}

const chatOf = (name) => `suppliers/${encodeURIComponent(name)}`;
const truthOf = (name) => `truth/suppliers/${encodeURIComponent(name)}`;

export function Suppliers({ store, goTo }) {
  const [chosen, choose] = useKept(store, "supplier", null);
  const [basket] = useBasket(store);
  const [marked, mark] = useKept(store, "addressees", null);
  useEffect(() => { // the browser's Back closes a supplier
    const back = () => choose(history.state?.supplier ?? null);
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  const rows = rowsOf(store, basket);
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
  return html`<section class="panel" aria-label="Suppliers"><h1>Suppliers</h1>
      <p class="muted">Open one to read its letters and to bargain.
        ${store.playing && ` Tick several to write to all of them at once: a letter takes ${store.terms.minutes.chatbox
          } minutes, however many read it.`}</p>
      ${store.playing && html`<${WriteToSeveral} store=${store} goTo=${goTo} basket=${basket}
        rows=${rows.filter((each) => selected.has(each.email))} />`}
      <${DataGrid} table="suppliers" rows=${rows} choose=${(each) => open(each.email)}
        selected=${store.playing ? selected : null}
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
  const found = [...store.known.ask].filter(([, ask]) => ask.price != null && (!basket.size || basket.has(ask.sku)))
    .map(([key, { supplier: email, sku, price, state, failed }]) => {
      const [goods, row] = [store.known.product.get(sku), suppliers.get(email)];
      return { key, email, price, title: goods?.title ?? sku, supplier: row?.name ?? email,
        share: price / (goods?.reference_price ?? price), state: cell(state, state, failed),
        fee: row?.fee ? cell("mentioned", "mentioned", true) : null };
    }).sort((a, b) => a.title.localeCompare(b.title) || a.price - b.price);
  return found.length > 0 && html`<section class="panel" aria-label="Asks"><h1>Asks</h1><p class="muted">
    What each supplier asked last for ${basket.size ? "goods of the basket" : "any product"}. Open one to bargain.</p>
    <${DataGrid} table="asks by product and supplier" rows=${found} choose=${(row) => open(row.email)} /></section>`;
}

function Conversation({ store, row, goTo, back }) {
  const talk = store.shown[chatOf(row.name)];
  const truth = store.shown[truthOf(row.name)];
  const [basket, setBasket] = useBasket(store);
  const goods = bargains(store, row, talk, basket);
  const { own } = store.year;
  return html`<section class="panel conversation" aria-label=${row.name}>
    <div class="row"><${Button} label="‹ All suppliers" act=${back} /><h1>${row.name}</h1>
      <span class="muted">${row.category}${row.member ? ", membership paid" : ""}</span>
      ${row.fee && html`<strong class="bad">mentions a membership fee</strong>`}</div>
    ${truth && html`<p class=${truth.honest ? "" : "bad"}>Hidden truth: ${truth.honest ? "honest"
      : `cheats (${truth.scam.replaceAll("_", " ")})`}, bargains in the manner "${truth.template}".</p>`}
    <div class="talk">
      <div>${talk ? html`<div class="thread-box" tabindex="0" role="log"
          aria-label=${`Letters with ${row.name}`}><${Part} class="thread" html=${talk.html} /></div>
        ${talk.prices.length > 0 && html`<details><summary>Price list: ${counted(talk.prices.length, "product")}
          </summary><${DataGrid} table="price list" selected=${store.playing ? basket : null} select=${setBasket}
            rows=${talk.prices.map((each) => ({ ...each, share: each.quote / each.reference }))} /></details>`}`
        : html`<p class="muted">${own ? "You have" : "The agent has"} not written to this
        supplier yet.</p>`}
        ${store.playing && html`<${ActionButton} store=${store} primary=${!row.letters}
          label=${talk?.prices.length ? "Ask for the price list again" : "Ask for the price list"}
          calls=${[letterCall([row.email], PRICE_LIST)]} />`}</div>
      <div>
        ${store.playing && html`<h2>Your decisions</h2>${goods.length
          ? html`<${BidTable} store=${store} emails=${[row.email]} goods=${goods} name=${row.email} />`
          : html`<p class="muted">Put goods of ${row.category} into the basket to bid for them here: tick them in the
            price list, or choose them by name.</p><${Button} label="Choose goods" act=${() => goTo("goods")} />`}`}
        <h2>Bargains</h2>
        ${talk?.ladders.length ? (truth ?? talk).ladders.toReversed().map((ladder, at) => html`
          <details key=${`${ladder.sku} ${ladder.opened} ${at}`} open=${at < SHOWN}>
          <summary>${ladder.title}: ${outcomeOf(ladder, own)}</summary>
          <figure><${Part} html=${ladder.html} /></figure></details>`)
          : html`<p class="muted">No bargain yet. The price list states opening quotes; a bid opens the talks.</p>`}
      </div></div></section>`;
}

function outcomeOf({ outcome, price, standing, closed }, own) {
  if (outcome === "deal") return `bought at ${yuan(price, 2)} on day ${closed}`;
  if (outcome === "agreed") return `${yuan(price, 2)} agreed, but nothing was ordered`;
  if (outcome === "open") return `open, the supplier asks ${yuan(standing, 2)}`;
  return `${outcome !== "AgentReject" ? "the supplier" : own ? "you" : "the agent"} walked away on day ${closed}`;
}

// Suppliers that a search has shown or that were written to, with one's own history.
function rowsOf({ known, shown }, basket) {
  const rows = new Map();
  for (const { supplier_email: email, supplier_name: name, categories_served: served } of known.supplier.values())
    if (name) rows.set(email, { ...NEVER_WRITTEN, email, name, category: served[0] });
  for (const row of shown.suppliers) rows.set(row.email, row);
  return [...rows.values()].map((row) => {
    const [kept, back] = [row.delivered / row.ordered, row.returned / row.sold];
    return { ...row, fee: known.supplier.get(row.email)?.fee ?? false,
      wanted: basketGoods({ known }, basket, [row.category]).length,
      kept: row.ordered ? cell(kept, `${row.delivered} of ${row.ordered}`, kept < 1)
        : cell(null, row.on_the_way ? `${row.on_the_way} on the way` : "–"),
      returns: row.sold < 1 ? null : cell(back,
        `${percent(back)} (usual ${percent(row.usual_returns / row.sold)})`, row.suspicious) };
  }).sort((a, b) => b.wanted - a.wanted || b.open_bargains - a.open_bargains || b.letters - a.letters);
}

function basketGoods({ known }, basket, categories) {
  return [...basket].map((sku) => known.product.get(sku))
    .filter((row) => row && (!row.category || categories.includes(row.category)))
    .map((row) => ({ sku: row.product_id, title: row.title, reference: row.reference_price, quote: null,
      standing: null, lastBid: null, agreed: "" }));
}

// What can be decided with one supplier: its open bargains, then goods of the basket that it sells.
function bargains(store, row, talk, basket) {
  const askOf = (sku) => store.known.ask.get(`${row.email} ${sku}`);
  const open = (talk?.ladders ?? []).filter((ladder) => ladder.standing != null)
    .map(({ sku, title, reference, quotes, standing, offers, outcome }) => ({ sku, title, reference, standing,
      quote: quotes[0] ?? null, lastBid: offers.at(-1) ?? null, agreed: outcome === "agreed"
        ? `The price was agreed, but nothing was ordered: ${askOf(sku)?.problem || "the order failed"}.` : "" }));
  const wanted = basketGoods(store, basket, [row.category]).filter((each) => !open.some(({ sku }) => sku === each.sku));
  return [...open, ...wanted.map((each) => ({ ...each, quote: askOf(each.sku)?.quote ?? null }))]
    .sort((a, b) => Number(basket.has(b.sku)) - Number(basket.has(a.sku)));
}
