// The position of the day: after the visitor's move, what the player did and what the engine would have done.

import { yuan } from "../../../../components/static/format.js";
import { html, useEffect, useState } from "../../../../components/static/preact.js";
import { ask, send } from "../page.js";

export function PositionPanel({ store }) {
  const [run, episode, asked] = store.asked.split(":");
  const day = Number(asked);
  const played = store.day > day || store.year.over;
  const [found, show] = useState(null); // the moves, or why there are none
  const path = `/api/runs/${run}/${episode}`;
  useEffect(() => {
    if (!played) return;
    const moves = `${path}/truth/positions/${day}/${store.run}/${store.episode}`;
    ask(moves, { "X-Ecbench-Truth": "shown" }).then(show, (problem) => show({ problem: problem.message }));
  }, [played]);
  const watch = () => store.attempt(async () => {
    const made = await send(`${path}/branch`, { agent: "engine", day });
    location.href = `/runs/${made.id}/${made.episode}/today?race=${run}:${episode}&day=${day}`;
  });
  return html`<section class="panel position" aria-label="Position of the day"><h1>Position of the day</h1>
    ${played ? html`<${Moves} found=${found} />
      <p class="row"><button type="button" onClick=${watch}>Watch what the engine does</button>
        <a class="button" href=${`/runs/${run}/${episode}/today?day=${day}`}>Watch the recorded game</a></p>`
      : html`<p>It is the morning of day ${day} of a recorded game, and your move. Do what you think best today, then
        close the day: you will see what the player did and what the engine would have done.</p>`}</section>`;
}

function Moves({ found }) {
  if (!found) {
    return html`<p role="status">The engine plays on from all three positions …${" "}
      <progress aria-label="The engine"></progress></p>`;
  }
  if (found.problem) return html`<p class="bad">The moves cannot be compared: ${found.problem}.</p>`;
  const best = found[0].value;
  return html`<p>What the engine would end the episode with after each move:</p>
    <ol class="moves">${found.map((move) => html`<li key=${move.who}><strong>${move.who}: ${yuan(move.value)}</strong>
      ${move.value < best ? html` <span class="bad">${yuan(move.value - best)}</span>` : null}
      ${move.did.length ? html`<details><summary>What was done</summary>
        <ul>${move.did.map((each) => html`<li>${each}</li>`)}</ul></details>` : null}</li>`)}</ol>`;
}
