// Today: what the night brought, what wants doing in the order of the money at stake, and what is done each morning.

import { Button, Choice, Confirm, counted, Field, html, Part, Tick, yuan } from
  "../../../../../components/static/kit.js";
import { send } from "../../page.js";
import { ActionButton, keepStandingOrders, standingOrders } from "../actions.js";
import { PlatformTerms } from "../conduct.js";
import { Result } from "../result.js";
import { keep, useBasket } from "../store.js";

const SPEEDS = [["", "do not ship"], ["standard", "ship all orders, standard freight"],
  ["fast", "ship all orders, fast freight"], ["slow", "ship all orders, slow freight"]];

const isResult = (store) => store.year.over && store.turn === store.year.turns;

export function todayViews(store) {
  return isResult(store) ? [] : ["agenda", "morning"];
}

export function Today({ store, goTo }) {
  if (isResult(store)) return html`<${Result} key=${store.path} store=${store} />`;
  const tasks = store.shown.agenda;
  return html`<${PlatformTerms} store=${store} />${store.day > 0 && html`<${Part} html=${store.shown.morning} />`}
    <section class="panel" aria-label="What to do today">
      <h1>${store.playing ? "What to do today" : "What there was to do"}</h1>
      ${tasks.length ? html`<ol class="tasks">
        ${tasks.map((task) => html`<${Task} key=${task.kind + task.title} store=${store} goTo=${goTo} task=${task} />`)}
        </ol>` : html`<p class="muted">${store.playing
          ? "Nothing waits. Find goods, write to suppliers, or close the day." : "Nothing waited."}</p>`}</section>
    ${store.playing && html`<${EveryMorning} store=${store} /><${RareSteps} store=${store} />`}`;
}

function Task({ store, goTo, task }) {
  const [basket, setBasket] = useBasket(store);
  const look = () => { // leads to what it names: one supplier, or all of them rather than the one that was read last
    keep(store, "supplier", task.suppliers.length === 1 ? task.suppliers[0] : null);
    if (task.goods.length) setBasket(new Set([...basket, ...task.goods]));
    if (task.store) keep(store, "store", task.store);
    goTo(task.screen);
  };
  return html`<li class=${`task ${task.urgent ? "urgent" : ""}`}>
    <div class="what"><strong>${task.title}</strong>${task.detail && html`<div class="muted">${task.detail}</div>`}
      </div>
    <div class="stake">${task.stake > 0 && html`<span title=${task.meaning}>${yuan(task.stake)}</span>
      <small class="muted">${task.meaning}</small>`}</div>
    <div class="do">
      ${store.playing && task.calls.length > 0 && html`<${ActionButton} store=${store} label=${task.action}
        calls=${task.calls} cost=${task.cost} primary=${task.urgent} />`}
      ${task.screen && html`<${Button} act=${look}
        label=${task.calls.length || !store.playing ? "Look closer" : task.action} />`}</div></li>`;
}

// Standing orders.
function EveryMorning({ store }) {
  const orders = standingOrders(store);
  const keep = (change) => keepStandingOrders(store, change);
  const atWork = [orders.ship, orders.withdraw, Number(orders.list) > 0].filter(Boolean).length;
  return html`<details class="panel standing">
    <summary>Every morning: ${atWork ? counted(atWork, "standing order") : "no standing orders"}</summary>
    <p class="muted">Done for you each morning after you close the day in this browser. It takes the same minutes as
      the buttons do.</p>
    <div class="row"><${Choice} aria-label="Shipping each morning" choices=${SPEEDS} value=${orders.ship}
        set=${(ship) => keep({ ship })} />
      <${Tick} label="move the wallet to the bank" on=${orders.withdraw} set=${(withdraw) => keep({ withdraw })} />
      <${Tick} label="put goods that arrived on the shelf" on=${Number(orders.list) > 0}
        set=${(on) => keep({ list: on ? "100" : "" })} />
      ${orders.list !== "" && html`<${Field} label="at" min="1" max="500" step="1" value=${orders.list}
        set=${(list) => keep({ list: list || "0" })}
        aria-label="Price of new goods in percent of the reference price"
        after=" % of the reference price (goods already on the shelf keep their price)" />`}</div></details>`;
}

// Looking back; taking today back, which is a branch that is not ranked; ending the game.
function RareSteps({ store }) {
  const undo = async () => {
    const made = await store.attempt(() => send(`${store.path}/branch`, { agent: "person", day: store.day }));
    if (made) location.href = `/runs/${made.id}/${made.episode}/today`;
  };
  const end = () => store.attempt(async () => {
    await send(`${store.path}/finish`, {});
    await store.refresh();
  });
  return html`<div class="row rare">
    ${store.day > 0 && html`<${Button} label="Look back at earlier days" act=${() => store.goToDay(store.day - 1)} />`}
    ${store.turn > 0 && html`<${Confirm} label="Undo today …" yes="Undo today" act=${undo}
      question="You play on from this morning in a copy of this game. The copy is marked as a branch and is not ranked."
      />`}
    <${Confirm} label="End the game early …" yes="End it" no="Play on" act=${end}
      question="This ends the game for good: escrow is paid out, and nothing can be taken back." /></div>`;
}
