// The letters with one supplier as in a messenger, and its bargains as ladders with their prices.

import { html, useEffect, useRef } from "../../components/preact.js";
import { yuan } from "../../components/dom.js";
import { offerLadder } from "../../components/offer_ladder.js";
import { DataGrid } from "./data_grid.js";
import { Mount } from "./mount.js";

const LONG = 1200; // characters of a letter that are shown at first
const PRICE_LINES = /^- \S+ \| .* \| reference .*$\n?/gm; // of a price list, which is shown as a table

const PRICES = [
  { key: "title", title: "Product" },
  { key: "reference", title: "Reference", numeric: true, cell: (row) => yuan(row.reference, 2) },
  { key: "quote", title: "Opening quote", numeric: true, cell: (row) => yuan(row.quote, 2) },
  { key: "share", title: "of reference", numeric: true, value: (row) => row.quote / row.reference, cell: (row) => `${Math.round((100 * row.quote) / row.reference)}%` },
  { key: "delivery", title: "Delivery" },
];

// `own`: whether the reader is the player of the year.
export function Thread({ chat, own, quotes }) {
  const box = useRef(null);
  useEffect(() => { if (box.current) box.current.scrollTop = box.current.scrollHeight; }, [chat.letters.length]);
  return html`<div class="thread" ref=${box} tabindex="0" role="log" aria-label=${`Letters with ${chat.name}`}>
    ${chat.letters.map((letter, at) => html`<${Letter} key=${at} letter=${letter} own=${own} quotes=${quotes} />`)}</div>`;
}

function Letter({ letter, own, quotes }) {
  const mine = letter.sender === "agent";
  const listed = letter.text.match(PRICE_LINES)?.length ?? 0;
  const words = listed ? letter.text.replaceAll(PRICE_LINES, "").replaceAll(/\n{3,}/g, "\n\n") : letter.text;
  const long = !listed && words.length > LONG;
  return html`<div class=${mine ? "letter mine" : "letter"}><div class="muted">${mine ? (own ? "you, " : "the agent, ") : ""}${letter.date} ${clock(letter.minute)}</div>
    <div>${long ? `${words.slice(0, LONG)} …` : words}</div>
    ${listed ? html`<${PriceList} count=${listed} quotes=${quotes} />` : long ? html`<details><summary>The whole letter</summary><div>${words}</div></details>` : null}
    ${letter.actions.length ? html`<ul class="actions">${letter.actions.map((action, at) => html`<li key=${at}>${action}</li>`)}</ul>` : null}</div>`;
}

// The price list of the supplier as it is known by now.
function PriceList({ count, quotes }) {
  return html`<details><summary>Price list: ${count} ${count === 1 ? "product" : "products"}</summary>
    <${DataGrid} label="price list" columns=${PRICES} rows=${quotes} keyOf=${(row) => row.sku} /></details>`;
}

// `floors` by SKU, where hidden truth is shown.
export function Ladders({ ladders, own, floors = null }) {
  if (!ladders.length) return html`<p class="muted">No bargain yet. The price list states opening quotes; a bid opens the talks.</p>`;
  return html`${[...ladders].reverse().map((ladder, at) => html`<details key=${`${ladder.sku} ${ladder.opened} ${at}`} open=${at === 0 || ladder.standing != null}>
    <summary>${ladder.title}: ${ladderOutcome(ladder, own)}</summary>
    <figure><${Mount} make=${() => [offerLadder({ ...ladder, bidder: own ? "you" : "the agent", floor: floors?.[ladder.sku], price: ladder.outcome === "deal" ? ladder.price : null })]} deps=${[ladder.quotes.length, ladder.offers.length, ladder.outcome, floors?.[ladder.sku]]} /></figure></details>`)}`;
}

function ladderOutcome(ladder, own) {
  if (ladder.outcome === "deal") return `bought at ${yuan(ladder.price, 2)} on day ${ladder.closed}`;
  if (ladder.outcome === "agreed") return `${yuan(ladder.price, 2)} agreed, but nothing was ordered`;
  if (ladder.outcome === "open") return `open, the supplier asks ${yuan(ladder.standing, 2)}`;
  return `${ladder.outcome === "AgentReject" ? `${own ? "you" : "the agent"} walked away` : "the supplier walked away"} on day ${ladder.closed}`;
}

function clock(minute) {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
