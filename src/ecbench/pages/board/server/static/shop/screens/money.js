// Money: the accounts, when escrow settles, where the week's money came from and went, and the curve so far.

import { yuan } from "../../../../../components/static/format.js";
import { html } from "../../../../../components/static/preact.js";
import { DataGrid, cell } from "../../../../../components/static/table.js";
import { YearChart } from "../../../../../components/static/year_chart.js";
import { ActionButton, call } from "../actions.js";
import { Statements } from "../conduct.js";
import { Beside, besideOf } from "../watching.js";

export function Money({ store }) {
  const { flows, settlements, unshipped } = store.shown.accounts;
  const { bank, wallet, escrow } = store.position.money;
  const pot = (name, amount, words, more = null) => html`<li class="card"><h2>${name}</h2>
    <p class=${amount < 0 ? "figure bad" : "figure"}>${yuan(amount, 2)}</p><p class="muted">${words}</p>${more}</li>`;
  const moved = flows.map(({ week, ...row }) =>
    ({ ...row, week: cell(week, week ? yuan(week, 2) : "–", week < 0) }));
  return html`<section class="panel" aria-label="Accounts"><h1>Accounts</h1><ul class="cards">
      ${pot("Bank", bank, `All costs and orders are paid from here. ${store.terms.unpaid_limit} mornings in a row below
        zero end the business.`)}
      ${pot("Wallet", wallet, "Sales that have been paid out. Withdraw them to the bank to spend them.",
        store.playing && wallet > 0 && html`<${ActionButton} store=${store} primary=${true}
          label="Withdraw all of it" calls=${[call("withdraw")]} />`)}
      ${pot("Escrow", escrow, `Shipped sales. They are paid out to the wallet ${store.terms.escrow_days} days after
        shipping.`)}
      ${pot("Not shipped yet", unshipped, "Sold, and lost if not shipped in time. Not part of the total.")}</ul>
      </section>
    ${store.playing && html`<${Statements} store=${store} />`}
    <section class="panel" aria-label="So far"><h1>So far</h1><${Curve} store=${store} />
      <${Beside} store=${store} /></section>
    <div class="two">
      <section class="panel" aria-label="Money of the week"><h1>Where it came from and went</h1>
        <${DataGrid} table="money by channel" rows=${moved} /></section>
      <section class="panel" aria-label="Escrow"><h1>When escrow is paid out</h1>
        <${DataGrid} table="escrow by date" rows=${settlements} /></section></div>`;
}

// The chart of the money, up to the day that is looked at; days to come are not drawn.
function Curve({ store }) {
  const { timeline } = store.year;
  const days = store.position.day + 1;
  const cut = (values) => values.slice(0, days);
  const accounts = Object.fromEntries(["bank", "wallet", "escrow", "total"].map((name) => [name, cut(timeline[name])]));
  const year = { ...timeline, ...accounts, days: Math.max(7, days - 1), dots: [], marks: [],
    spans: timeline.spans.filter((span) => span.first < days),
    others: besideOf(store).map((other) => ({ ...other, curve: cut(other.curve) })) };
  return html`<${YearChart} year=${year} day=${days - 1} height=${220} />`;
}
