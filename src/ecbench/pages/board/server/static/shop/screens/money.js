// Money: the accounts, when escrow settles, where the week's money came from and went, and the curve so far.

import { html, Part, yuan } from "../../../../../components/static/kit.js";
import { YearChart } from "../../../../../components/static/year_chart.js";
import { ActionButton, call } from "../actions.js";
import { Statements } from "../conduct.js";
import { Beside } from "../watching.js";

export function Money({ store }) {
  const { html: tables, unshipped } = store.shown.accounts;
  const { bank, wallet, escrow } = store.position.money;
  const year = { ...store.year.timeline, others: [...store.year.beside, ...store.par] };
  const pot = (name, amount, words, more = null) => html`<li class="card"><h2>${name}</h2>
    <p class=${amount < 0 ? "figure bad" : "figure"}>${yuan(amount, 2)}</p><p class="muted">${words}</p>${more}</li>`;
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
    ${store.year.own && html`<section class="panel" aria-label="So far"><h1>So far</h1>
      <${YearChart} year=${year} day=${store.day} height=${220} />
      <${Beside} store=${store} /></section>`}
    <${Part} html=${tables} />`;
}
