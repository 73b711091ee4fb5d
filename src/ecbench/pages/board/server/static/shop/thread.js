// The letters with one supplier as in a messenger, and its bargains as ladders with their prices.

import { html, useEffect, useRef } from "../../../../components/static/preact.js";
import { counted, yuan } from "../../../../components/static/format.js";
import { OfferLadder } from "../../../../components/static/offer_ladder.js";
import { DataGrid, money } from "../../../../components/static/table.js";

const SHOWN = 2; // ladders, the latest
const LONG = 1200; // characters of a letter that are shown at first

const PRICES = [
  { key: "title", title: "Product" },
  money("reference", "Reference"),
  money("quote", "Opening quote"),
  { key: "share", title: "of reference", numeric: true, value: (row) => row.quote / row.reference,
    cell: (row) => `${Math.round((100 * row.quote) / row.reference)}%` },
  { key: "delivery", title: "Delivery" },
];

// `own`: whether the reader is the player of the year. Goods of a price list can be put into the `basket`, unless it
// is null.
export function Thread({ chat, own, basket, setBasket }) {
  const box = useRef(null);
  useEffect(() => { if (box.current) box.current.scrollTop = box.current.scrollHeight; }, [chat.letters.length]);
  return html`<div class="thread" ref=${box} tabindex="0" role="log" aria-label=${`Letters with ${chat.name}`}>
    ${chat.letters.map((letter, at) => html`<${Letter} key=${at} letter=${letter} own=${own} basket=${basket}
      setBasket=${setBasket} />`)}</div>`;
}

function Letter({ letter, own, basket, setBasket }) {
  const { text, prices } = letter;
  const mine = letter.sender === "agent";
  const long = text.length > LONG;
  return html`<div class=${mine ? "letter mine" : "letter"}><div class="muted">${mine ? (own ? "you, " : "the agent, ")
    : ""}${letter.date} ${clock(letter.minute)}</div>
    <div>${long ? `${text.slice(0, LONG)} …` : text}</div>
    ${long ? html`<details><summary>The whole letter</summary><div>${text}</div></details>` : null}
    ${prices.length ? html`<details><summary>Price list: ${counted(prices.length, "product")}</summary>
      <${DataGrid} label="price list" columns=${PRICES} rows=${prices} keyOf=${(row) => row.sku} selected=${basket}
        select=${setBasket} /></details>` : null}
    ${letter.actions.length ? html`<ul class="actions">
      ${letter.actions.map((action, at) => html`<li key=${at}>${action}</li>`)}</ul>` : null}</div>`;
}

// `floors` by SKU, where hidden truth is shown.
export function Ladders({ ladders, own, floors = null }) {
  if (!ladders.length) return html`<p class="muted">No bargain yet. The price list states opening quotes; a bid opens
    the talks.</p>`;
  return html`${[...ladders].reverse().map((ladder, at) => html`<details key=${`${ladder.sku} ${ladder.opened} ${at}`}
    open=${at < SHOWN}>
    <summary>${ladder.title}: ${ladderOutcome(ladder, own)}</summary>
    <figure><${OfferLadder} ...${ladder} bidder=${own ? "you" : "the agent"} floor=${floors?.[ladder.sku]}
      price=${ladder.outcome === "deal" ? ladder.price : null} /></figure></details>`)}`;
}

function ladderOutcome(ladder, own) {
  if (ladder.outcome === "deal") return `bought at ${yuan(ladder.price, 2)} on day ${ladder.closed}`;
  if (ladder.outcome === "agreed") return `${yuan(ladder.price, 2)} agreed, but nothing was ordered`;
  if (ladder.outcome === "open") return `open, the supplier asks ${yuan(ladder.standing, 2)}`;
  return `${ladder.outcome === "AgentReject" ? `${own ? "you" : "the agent"} walked away`
    : "the supplier walked away"} on day ${ladder.closed}`;
}

function clock(minute) {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
