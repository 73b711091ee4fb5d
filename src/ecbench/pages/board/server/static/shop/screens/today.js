// Today: what wants doing, in the order of the money at stake, each with its action beside it.

import { html } from "../../../../../components/static/preact.js";
import { yuan } from "../../../../../components/static/format.js";
import { ActionButton } from "../action_button.js";
import { useBasket } from "../basket.js";
import { PlatformTerms } from "../conduct.js";
import { EveryMorning } from "../every_morning.js";
import { useKept, useView } from "../hooks.js";
import { LookBackButton } from "../look_back.js";
import { MorningReport } from "../morning_report.js";
import { Result } from "../result.js";
import { EndEarly, UndoToday } from "../year_end.js";

export function Today({ store, goTo }) {
  const tasks = useView(store, "agenda");
  if (store.year.over && store.turn === store.year.turns) return html`<${Result} key=${store.path} store=${store}
    goTo=${goTo} />`;
  if (!tasks) return html`<p class="muted">Looking …</p>`;
  return html`<${PlatformTerms} store=${store} /><${MorningReport} store=${store} />
    <section class="panel" aria-label="What to do today"><h1>
    ${store.playing ? "What to do today" : "What there was to do"}</h1>
      ${tasks.length ? html`<ol class="tasks">
        ${tasks.map((task) => html`<${Task} key=${task.kind + task.title} store=${store} goTo=${goTo} task=${task} />`)}
        </ol>`
        : html`<p class="muted">${store.playing ? "Nothing waits. Find goods, write to suppliers, or close the day."
          : "Nothing waited."}</p>`}</section>
    ${store.playing ? html`<${EveryMorning} store=${store} /><div class="row rare"><${LookBackButton} store=${store} />
      ${store.turn ? html`<${UndoToday} store=${store} />` : null}<${EndEarly} store=${store} /></div>` : null}`;
}

function Task({ store, goTo, task }) {
  const [basket, setBasket] = useBasket(store);
  const [, openSupplier] = useKept(store, "supplier", null);
  const look = () => { // leads to what it names: one supplier, or all of them rather than the one that was read last
    openSupplier(task.suppliers.length === 1 ? task.suppliers[0] : null);
    if (task.goods.length) setBasket([...new Set([...basket, ...task.goods])]);
    if (task.store) localStorage.setItem(`ecbench ${store.path} store`, JSON.stringify(task.store));
    goTo(task.screen);
  };
  return html`<li class=${`task ${task.urgent ? "urgent" : ""}`}>
    <div class="what"><strong>${task.title}</strong>${task.detail ? html`<div class="muted">${task.detail}</div>`
      : null}</div>
    <div class="stake">${task.stake ? html`<span title=${task.meaning}>${yuan(task.stake)}</span><small class="muted">
      ${task.meaning}</small>` : null}</div>
    <div class="do">
      ${store.playing && task.calls.length ? html`<${ActionButton} store=${store} label=${task.action}
        calls=${task.calls} cost=${task.cost} primary=${task.urgent} />` : null}
      ${task.screen ? html`<button type="button" onClick=${look}>${task.calls.length || !store.playing ? "Look closer"
        : task.action}</button>` : null}
    </div></li>`;
}
