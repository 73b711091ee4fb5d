// The bar that is always in view: the date, what is left of the day, the money, and the end of the day.

import { html } from "../../../../components/static/preact.js";
import { yuan } from "../../../../components/static/format.js";
import { endingWords } from "../page.js";
import { CloseDay } from "./close_day.js";
import { titleOfYear } from "./timeline.js";

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

export function TopBar({ store }) {
  const { position, year } = store;
  if (!position) return html`<header class="top-bar"><a href="/" class="back" aria-label="All games">‹</a><strong>
    ${titleOfYear(year)}</strong><span class="tag">hidden during play</span></header>`;
  const { money } = position;
  const change = changeSinceYesterday(year.timeline.total, position.day);
  const left = position.minutes_left;
  return html`<header class=${`top-bar ${store.truth ? "truth" : ""} ${store.playing ? "" : "watched"}`}>
    <div class="when">
      <a href="/" class="back" aria-label="All games">‹</a>
      ${year.playable ? null : html`<div><strong>${titleOfYear(year)}</strong><span class="tag">${endingOf(year)}</span>
        </div>`}
      <div><strong><span class="weekday">${WEEKDAYS[new Date(`${position.date}T00:00`).getDay()]}, </span>
        ${position.date}</strong>
        <span class="muted">day ${position.day} of ${year.timeline.days}</span></div>
    </div>
    <div class="gauge"><label for="minutes"><span class="clock">${position.time}, </span>${left} min left</label>
      <meter id="minutes" min="0" max=${store.terms.day_minutes} value=${left} low="60"
        title="Minutes left of the working day">${left}</meter></div>
    <dl class="pots" aria-label="Money">
      ${[["bank", "Bank", "All costs are paid from here."],
        ["wallet", "Wallet", "Sales that have been paid out. Withdraw them to the bank to spend them."],
        ["escrow", "Escrow", "Sales that are shipped and not paid out yet."]]
        .map(([name, title, hint]) => html`<div key=${name} title=${hint}><dt class=${`key k-${name}`}>${title}</dt>
        <dd class=${money[name] < 0 ? "bad" : ""}>${yuan(money[name])}</dd></div>`)}
      <div class="total"
        title="Bank, wallet and escrow together, without goods; and how it changed from 08:00 yesterday to 08:00 today">
        <dt>Total</dt><dd>${yuan(money.total)}
        ${change == null ? null : html` <small class=${change < 0 ? "bad" : "good"}>${change < 0 ? "" : "+"}
        ${yuan(change)} <span class="muted">by 08:00</span></small>`}</dd></div>
      <div class="goods" title="Goods in stock and on the way, at what they cost. They are not part of the total."><dt>
        Goods at cost</dt><dd>${yuan(goodsAtCost(position))}</dd></div>
    </dl>
    ${store.playing ? html`<${CloseDay} store=${store} />` : null}
  </header>`;
}

function goodsAtCost({ stock, coming }) {
  return stock.reduce((sum, row) => sum + row.held * row.cost, 0) + coming.reduce((sum, row) =>
    sum + row.units * row.unit_price, 0);
}

// Both at 08:00, so that what was spent today does not count as a loss.
function changeSinceYesterday(totals, day) {
  return day > 0 && totals[day] != null ? totals[day] - totals[day - 1] : null;
}

function endingOf({ timeline, live }) {
  return timeline.ending ? endingWords(timeline.ending) : live ? "being played" : "not finished";
}
