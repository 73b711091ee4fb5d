// Money: the accounts, when escrow settles, where the week's money came from and went, and the curve so far.

import { yuan } from "../../../../../components/static/format.js";
import { html } from "../../../../../components/static/preact.js";
import { DataGrid, money, number, text } from "../../../../../components/static/table.js";
import { YearChart } from "../../../../../components/static/year_chart.js";
import { ActionButton, call } from "../actions.js";
import { Statements } from "../conduct.js";
import { RaceStandings, useRace } from "../race.js";
import { useView } from "../store.js";

const SETTLEMENTS = [text("date", "Paid out on"), number("day", "Day"), money("amount", "Amount"),
  number("shipments", "Orders")];
const FLOWS = [text("channel", "For what"), number("week", "Last seven days", { cell: (row) => (row.week
  ? html`<span class=${row.week < 0 ? "bad" : "good"}>${yuan(row.week, 2)}</span>` : "–") }),
  money("year", "Since the opening")];

export function Money({ store }) {
  const accounts = useView(store, "accounts");
  const { bank, wallet, escrow } = store.position.money;
  const pot = (name, amount, words, more = null) => html`<li class="card"><h2>${name}</h2>
    <p class=${amount < 0 ? "figure bad" : "figure"}>${yuan(amount, 2)}</p><p class="muted">${words}</p>${more}</li>`;
  const withdraw = html`<${ActionButton} store=${store} primary=${true} label="Withdraw all of it"
    calls=${[call("withdraw")]} />`;
  return html`<section class="panel" aria-label="Accounts"><h1>Accounts</h1><ul class="cards">
      ${pot("Bank", bank, `All costs and orders are paid from here. ${store.terms.unpaid_limit} mornings in a row below
        zero end the business.`)}
      ${pot("Wallet", wallet, "Sales that have been paid out. Withdraw them to the bank to spend them.",
        store.playing && wallet > 0 && withdraw)}
      ${pot("Escrow", escrow, `Shipped sales. They are paid out to the wallet ${store.terms.escrow_days} days after
        shipping.`)}
      ${pot("Not shipped yet", accounts?.unshipped ?? 0,
        "Sold, and lost if not shipped in time. Not part of the total.")}</ul></section>
    ${store.playing && html`<${Statements} store=${store} />`}
    <section class="panel" aria-label="So far"><h1>So far</h1>
      ${store.year.playable ? html`<${RacedCurve} store=${store} />` : html`<${Curve} store=${store} />`}</section>
    <div class="two">
      <section class="panel" aria-label="Money of the week"><h1>Where it came from and went</h1>
        <${DataGrid} label="money by channel" columns=${FLOWS} rows=${accounts?.flows ?? []}
        keyOf=${(row) => row.channel} empty="Nothing has moved yet." /></section>
      <section class="panel" aria-label="Escrow"><h1>When escrow is paid out</h1><${DataGrid} label="escrow by date"
        columns=${SETTLEMENTS} rows=${accounts?.settlements ?? []} keyOf=${(row) => row.date}
        empty="Nothing is in escrow." /></section></div>`;
}

// A player sees rivals and other years here; of a watched year the timeline shows them.
function RacedCurve({ store }) {
  const race = useRace(store);
  return html`<${Curve} store=${store} others=${race.racers} /><${RaceStandings} store=${store} race=${race} />`;
}

// The chart of the money, up to the day that is looked at; days to come are not drawn.
function Curve({ store, others = [] }) {
  const { timeline } = store.year;
  const days = store.position.day + 1;
  const cut = (values) => values.slice(0, days);
  const accounts = Object.fromEntries(["bank", "wallet", "escrow", "total"].map((name) => [name, cut(timeline[name])]));
  const year = { ...timeline, ...accounts, days: Math.max(7, days - 1), dots: [], marks: [],
    spans: timeline.spans.filter((span) => span.first < days),
    others: others.map((racer) => ({ ...racer, curve: cut(racer.curve) })) };
  return html`<${YearChart} year=${year} day=${days - 1} height=${220} />`;
}
