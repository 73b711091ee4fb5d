// The letters with one supplier as in a messenger, and its bargains as ladders with their prices.

import { html, useEffect, useRef } from "../../components/preact.js";
import { yuan } from "../../components/dom.js";
import { letterParts } from "../../components/letter.js";
import { offerLadder } from "../../components/offer_ladder.js";
import { Mount } from "./mount.js";

const LONG = 1200; // characters of a letter that are shown at first

export function Thread({ chat }) {
  const box = useRef(null);
  useEffect(() => { if (box.current) box.current.scrollTop = box.current.scrollHeight; }, [chat.letters.length]);
  return html`<div class="thread" ref=${box} tabindex="0" role="log" aria-label=${`Letters with ${chat.name}`}>
    ${chat.letters.map((letter, at) => html`<${Letter} key=${at} letter=${letter} />`)}</div>`;
}

function Letter({ letter }) {
  const mine = letter.sender === "agent";
  const long = letter.text.length > LONG;
  return html`<div class=${mine ? "letter mine" : "letter"}><div class="muted">${mine ? "you, " : ""}${letter.date} ${clock(letter.minute)}</div>
    ${long ? html`<${Mount} make=${() => letterParts(`${letter.text.slice(0, LONG)} …`)} deps=${[letter.text]} /><details><summary>The whole letter</summary><${Mount} make=${() => letterParts(letter.text)} deps=${[letter.text]} /></details>`
      : html`<${Mount} make=${() => letterParts(letter.text)} deps=${[letter.text]} />`}</div>`;
}

// `floors` by SKU, where hidden truth is shown.
export function Ladders({ ladders, floors = null }) {
  if (!ladders.length) return html`<p class="muted">No bargain yet. The price list states opening quotes; a bid opens the talks.</p>`;
  return html`${[...ladders].reverse().map((ladder, at) => html`<details key=${`${ladder.sku} ${ladder.opened} ${at}`} open=${at === 0 || ladder.standing != null}>
    <summary>${ladder.title}: ${ladderOutcome(ladder)}</summary>
    <figure><${Mount} make=${() => [offerLadder({ ...ladder, floor: floors?.[ladder.sku], price: ladder.outcome === "deal" ? ladder.price : null })]} deps=${[ladder.quotes.length, ladder.offers.length, ladder.outcome, floors?.[ladder.sku]]} /></figure></details>`)}`;
}

export function ladderOutcome(ladder) {
  if (ladder.outcome === "deal") return `bought at ${yuan(ladder.price, 2)} on day ${ladder.closed}`;
  if (ladder.outcome === "agreed") return `${yuan(ladder.price, 2)} agreed, but nothing was ordered`;
  if (ladder.outcome === "open") return `open, the supplier asks ${yuan(ladder.standing, 2)}`;
  return `${ladder.outcome === "AgentReject" ? "you walked away" : "the supplier walked away"} on day ${ladder.closed}`;
}

function clock(minute) {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
