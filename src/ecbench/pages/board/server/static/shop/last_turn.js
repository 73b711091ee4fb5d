// What the agent of a watched year thought, said and called in the turn that is looked at, and what came back.

import { html } from "../../../../components/static/preact.js";
import { CallCard } from "../../../../components/static/call_card.js";
import { ask } from "../page.js";

export function LastTurn({ store }) {
  const { last: turn, memory } = store.position;
  const notes = Object.entries(memory);
  return html`<section class="panel" aria-label="The turn"><h2>
    ${turn ? `What ${store.year.own ? "you" : "the agent"} did in turn ${turn.number.toLocaleString("en")}`
    : "Before the first turn"}</h2>
      ${turn ? html`${turn.evicted ? html`<p class="muted">${turn.evicted.toLocaleString("en")} tokens had left the
        model's context.</p>` : null}
        ${turn.reasoning ? html`<div class="quote thought">${turn.reasoning}</div>` : null}
          ${turn.text ? html`<div class="quote">${turn.text}</div>` : null}
        ${turn.cards.length ? turn.cards.map((card, at) => html`<${Card} key=${`${turn.number} ${at}`} store=${store}
          card=${card} turn=${turn.number} at=${at} />`) : html`<p class="muted">No tool was called.</p>`}`
        : html`<p class="muted">Nobody has done anything yet.</p>`}</section>
    ${notes.length ? html`<section class="panel" aria-label="Memory"><h2>Notes that it keeps</h2>
      ${notes.map(([title, text]) => html`<details key=${title} class="card"><summary>${title}</summary><pre>${text}
      </pre></details>`)}</section>` : null}`;
}

function Card({ store, card, turn, at }) {
  const whole = `${store.path}/turns/${turn}/raw`;
  const raw = async () => {
    const { calls, replies } = await ask(whole);
    return [JSON.stringify(calls[at].arguments), replies[at]];
  };
  return html`<${CallCard} title=${card.tool.replaceAll("_", " ")} notes=${[`${card.minutes} min`]} view=${card.view}
    raw=${raw} whole=${whole} />`;
}
