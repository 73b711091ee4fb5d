// The bar that is always in view: the date, what is left of the day, the money, and the end of the day.

import { Button, Confirm, counted, html, useEffect, useRef, yuan } from "../../../../components/static/kit.js";
import { endingWords } from "../page.js";
import { ActionButton, call, carryOut } from "./actions.js";
import { useKeys } from "./store.js";

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const POTS = [["bank", "Bank", "All costs are paid from here."],
  ["wallet", "Wallet", "Sales that have been paid out. Withdraw them to the bank to spend them."],
  ["escrow", "Escrow", "Sales that are shipped and not paid out yet."]];

export function titleOfYear({ own, timeline, fork }) {
  return `${own ? "Your game" : timeline.agent} on ${timeline.world}${fork ? `, ${fork}` : ""}`;
}

export function TopBar({ store }) {
  const { position, year } = store;
  const back = html`<a href="/" class="back" aria-label="All games">‹</a>`;
  if (!position) return html`<header class="top-bar">${back}<strong>${titleOfYear(year)}</strong>
    ${year.withheld && html`<span class="tag">hidden during play</span>`}</header>`;
  const { money, day, date, time, minutes_left: left, stock, coming } = position;
  const { total: totals, ending, days } = year.timeline;
  const change = day > 0 && totals[day] != null ? totals[day] - totals[day - 1] : null; // both at 08:00
  const goods = stock.reduce((sum, row) => sum + row.held * row.cost, 0)
    + coming.reduce((sum, row) => sum + row.units * row.unit_price, 0);
  return html`<header class=${`top-bar ${store.truth ? "truth" : ""} ${store.playing ? "" : "watched"}`}>
    <div class="when">${back}
      ${!year.playable && html`<div><strong>${titleOfYear(year)}</strong><span class="tag">
        ${ending ? endingWords(ending) : year.live ? "being played" : "not finished"}</span></div>`}
      <div><strong><span class="weekday">${WEEKDAYS[new Date(`${date}T00:00`).getDay()]}, </span>${date}</strong>
        <span class="muted">day ${day} of ${days}</span></div></div>
    <div class="gauge"><label for="minutes"><span class="clock">${time}, </span>${left} min left</label>
      <meter id="minutes" min="0" max=${store.terms.day_minutes} value=${left} low="60"
        title="Minutes left of the working day">${left}</meter></div>
    <dl class="pots" aria-label="Money">
      ${POTS.map(([name, title, hint]) => html`<div key=${name} title=${hint}><dt class=${`key k-${name}`}>${title}</dt>
        <dd class=${money[name] < 0 ? "bad" : ""}>${yuan(money[name])}</dd></div>`)}
      <div class="total"
        title="Bank, wallet and escrow together, without goods; and how it changed from 08:00 yesterday to 08:00 today">
        <dt>Total</dt><dd>${yuan(money.total)}
        ${change != null && html` <small class=${change < 0 ? "bad" : "good"}>${change < 0 ? "" : "+"}${yuan(change)}
          ${" "}<span class="muted">by 08:00</span></small>`}</dd></div>
      <div class="goods" title="Goods in stock and on the way, at what they cost. They are not part of the total.">
        <dt>Goods at cost</dt><dd>${yuan(goods)}</dd></div></dl>
    ${store.playing && html`<${CloseDay} store=${store} />`}</header>`;
}

// The end of the day: a button and a key. It asks once where orders would be cancelled tonight.
function CloseDay({ store }) {
  const box = useRef(null);
  const due = store.position.shipments.filter((row) => row.days_left <= 0).length;
  const look = { class: "primary", label: "Close the day", title: "Shift C", "aria-keyshortcuts": "Shift+C",
    "aria-disabled": store.busy > 0 };
  const close = () => store.busy || store.closeDay(carryOut);
  useKeys({ C: () => box.current.querySelector("button").click() }, (event) => event.repeat);
  const question = `${counted(due, "order is", "orders are")} cancelled tonight if not shipped.`;
  return html`<div class="close" ref=${box}>${due ? html`<${Confirm} ...${look} question=${question} no="Not yet"
      yes="Close the day anyway" act=${close}>
      <${ActionButton} store=${store} label="Ship all orders"
        calls=${[call("ship_orders", { action: "ship", speed: "standard" })]} /></${Confirm}>`
    : html`<${Button} ...${look} act=${close} />`}</div>`;
}

// Earlier days of a game that one plays: the same screens as they were then, for reading only.
export function LookBackBar({ store }) {
  const slider = useRef(null);
  useEffect(() => slider.current.focus({ preventScroll: true }), []);
  const today = store.year.timeline.turns.length - 1;
  return html`<section class="look-back row" aria-label="Looking back"><span><strong>Day ${store.day} as it was
    </strong> before you closed it. Nothing can be changed here.</span>
    <input ref=${slider} type="range" min="0" max=${today} value=${store.day} aria-label="Day to look at"
        aria-valuetext=${`day ${store.day}; today is day ${today}`}
        onInput=${(event) => store.goToDay(Number(event.target.value))} />
    <${Button} class="primary" label="Back to today" act=${() => store.follow()} /></section>`;
}
