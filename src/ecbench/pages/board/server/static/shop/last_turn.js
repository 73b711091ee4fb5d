// What the agent of a watched year thought, said and called in the turn that is looked at, and what came back.

import { html } from "../../components/preact.js";
import { callCard } from "../../components/call_card.js";
import { el } from "../../components/dom.js";
import { ask } from "../page.js";
import { Mount } from "./mount.js";

export function LastTurn({ store }) {
  const { last: turn, memory } = store.position;
  const notes = Object.entries(memory);
  return html`<section class="panel" aria-label="The turn"><h2>${turn ? `What ${store.year.own ? "you" : "the agent"} did in turn ${turn.number.toLocaleString("en")}` : "Before the first turn"}</h2>
      ${turn ? html`${turn.evicted ? html`<p class="muted">${turn.evicted.toLocaleString("en")} tokens had left the model's context.</p>` : null}
        ${turn.reasoning ? html`<div class="quote thought">${turn.reasoning}</div>` : null}${turn.text ? html`<div class="quote">${turn.text}</div>` : null}
        ${turn.cards.length ? html`<${Mount} make=${() => turn.cards.map((card, at) => cardOf(store, card, turn.number, at))} deps=${[store.path, turn.number]} />` : html`<p class="muted">No tool was called.</p>`}`
        : html`<p class="muted">Nobody has done anything yet.</p>`}</section>
    ${notes.length ? html`<section class="panel" aria-label="Memory"><h2>Notes that it keeps</h2>${notes.map(([title, text]) => html`<details key=${title} class="card"><summary>${title}</summary><pre>${text}</pre></details>`)}</section>` : null}`;
}

function cardOf(store, card, turn, at) {
  const whole = `${store.path}/turns/${turn}/raw`;
  return callCard({
    title: card.tool.replaceAll("_", " "), notes: [`${card.minutes} min`], view: card.view,
    raw: async () => { const { calls, replies } = await ask(whole); return [JSON.stringify(calls[at].arguments), replies[at]]; },
    more: el("a", { href: whole, target: "_blank", rel: "noopener" }, "The whole turn as it is recorded"),
  });
}
