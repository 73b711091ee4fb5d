// Money: the accounts, when escrow settles, where the week's money came from and went, and the curve so far.

import { html } from "../../../../../components/static/preact.js";
import { yuan } from "../../../../../components/static/format.js";
import { YearChart } from "../../../../../components/static/year_chart.js";
import { ActionButton } from "../action_button.js";
import { DataGrid, money } from "../../../../../components/static/table.js";
import { Statements } from "../conduct.js";
import { useView } from "../hooks.js";
import { RaceStandings, useRace } from "../race.js";

const CHANNELS = {
  setup: "Opening stores", operating: "Running stores", idle: "Days without a store", storage: "Storage",
    freight: "Freight", procurement: "Goods bought",
  fees: "Fees of suppliers", revenue: "Sales shipped, after commission", refunds: "Refunds", salvage: "Goods sold off",
};
const SETTLEMENTS = [
  { key: "date", title: "Paid out on" },
  { key: "day", title: "Day", numeric: true },
  money("amount", "Amount"),
  { key: "shipments", title: "Orders", numeric: true },
];
const FLOWS = [
  { key: "channel", title: "For what", value: (row) => CHANNELS[row.channel] ?? row.channel },
  { key: "week", title: "Last seven days", numeric: true, cell: (row) => (row.week
    ? html`<span class=${row.week < 0 ? "bad" : "good"}>${yuan(row.week, 2)}</span>` : "–") },
  money("year", "Since the opening"),
];

export function Money({ store }) {
  const accounts = useView(store, "accounts");
  const { money } = store.position;
  return html`<section class="panel" aria-label="Accounts"><h1>Accounts</h1>
      <ul class="cards">
        <li class="card"><h2>Bank</h2><p class=${money.bank < 0 ? "figure bad" : "figure"}>${yuan(money.bank, 2)}</p>
          <p class="muted">All costs and orders are paid from here. ${store.terms.unpaid_limit} mornings in a row below
          zero end the business.</p></li>
        <li class="card"><h2>Wallet</h2><p class="figure">${yuan(money.wallet, 2)}</p><p class="muted">
          Sales that have been paid out. Withdraw them to the bank to spend them.</p>
          ${store.playing && money.wallet > 0 ? html`<${ActionButton} store=${store} primary=${true}
          label="Withdraw all of it" calls=${[{ name: "withdraw", arguments: {} }]} />` : null}</li>
        <li class="card"><h2>Escrow</h2><p class="figure">${yuan(money.escrow, 2)}</p><p class="muted">
          Shipped sales. They are paid out to the wallet ${store.terms.escrow_days} days after shipping.</p></li>
        <li class="card"><h2>Not shipped yet</h2><p class="figure">${yuan(accounts?.unshipped ?? 0, 2)}</p>
          <p class="muted">Sold, and lost if not shipped in time. Not part of the total.</p></li>
      </ul></section>
    ${store.playing ? html`<${Statements} store=${store} />` : null}
    <section class="panel" aria-label="So far"><h1>So far</h1>
      ${store.year.playable ? html`<${RacedCurve} store=${store} />` : html`<${Curve} store=${store} />`}</section>
    <div class="two">
      <section class="panel" aria-label="Money of the week"><h1>Where it came from and went</h1>
        <${DataGrid} label="money by channel" columns=${FLOWS} rows=${accounts?.flows ?? []}
        keyOf=${(row) => row.channel} empty="Nothing has moved yet." /></section>
      <section class="panel" aria-label="Escrow"><h1>When escrow is paid out</h1><${DataGrid} label="escrow by date"
        columns=${SETTLEMENTS} rows=${accounts?.settlements ?? []} keyOf=${(row) => row.date}
        empty="Nothing is in escrow." /></section>
    </div>`;
}

// A player sees rivals and other years here; of a watched year the timeline shows them.
function RacedCurve({ store }) {
  const [race, home] = useRace(store);
  return html`<${Curve} store=${store} others=${race.racers} /><${RaceStandings} store=${store} race=${race}
    years=${home.runs} />`;
}

// The chart of the money, up to the day that is looked at; days to come are not drawn.
function Curve({ store, others = [] }) {
  const { timeline } = store.year;
  const days = store.position.day + 1;
  const cut = (values) => values.slice(0, days);
  const accounts = Object.fromEntries(["bank", "wallet", "escrow", "total"].map((name) => [name, cut(timeline[name])]));
  const year = { ...timeline, ...accounts, days: Math.max(7, days - 1),
    spans: timeline.spans.filter((span) => span.first < days), dots: [], marks: [],
    others: others.map((racer) => ({ ...racer, curve: cut(racer.curve) })) };
  return html`<${YearChart} year=${year} day=${days - 1} height=${220} />`;
}
