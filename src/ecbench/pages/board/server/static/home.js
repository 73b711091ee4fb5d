// Home: its forms send what was typed with the terms that they stand for, and the list of recorded games stays fresh.

import { cell, counted, DataGrid, html, render, Sparkline, useEffect, useState, yuan } from
  "../../../components/static/kit.js";
import { ask, endingWords, send } from "./page.js";

const REFRESH_MS = 2000;
function say(text, bad) {
  Object.assign(document.getElementById("status"), { textContent: text, className: bad ? "bad" : "" });
}

const complain = (problem) => say(problem.message, true);

// Opens the game that the server makes, or says that an agent plays its own.
async function submit(event) {
  event.preventDefault();
  const { path, terms } = event.target.dataset;
  const asked = { ...JSON.parse(terms), ...Object.fromEntries(new FormData(event.target)) };
  if ("days" in asked) asked.days = Number(asked.days);
  try {
    const made = await send(path, asked);
    if (path !== "/api/runs") location.href = `/runs/${made.id}/${made.episode}/today`;
    else say("The agent is playing. Its game is in the list below.", false);
    dispatchEvent(new Event("started"));
  } catch (problem) {
    complain(problem);
  }
}

// Shows what the chosen rules mean, and what else they leave to choose.
function chooseRules({ currentTarget: choice }) {
  for (const each of choice.querySelectorAll("fieldset")) {
    each.hidden = each.disabled = each.dataset.rules !== choice.querySelector("[name=rules]").value;
  }
}

const CELLS = {
  agent: ({ id, episode, episodes, agent, fork }) => html`<a href=${`/runs/${id}/${episode}`}>${agent}
    ${episodes > 1 && ` #${episode}`}</a>${fork && html`<div class="muted">${fork}</div>`}`,
  world: ({ world, rules }) => html`${world}<div class="muted">${rules} rules</div>`,
  state: ({ live, state }) => html`<span class=${live ? "tag live" : "tag"}>${state}</span>`,
  curve: ({ curve }) => curve.length > 1 && html`<${Sparkline} values=${curve}
    label=${`Assets from ${yuan(curve[0])} to ${yuan(curve.at(-1))}`} />`,
};

function stateOf(run) {
  if (run.live) return "being played";
  return run.withheld ? "hidden during play" : run.ending ? endingWords(run.ending) : run.turns ? "not finished"
    : "not begun";
}

function Recorded() {
  const [runs, show] = useState([]);
  useEffect(() => {
    const refresh = () => document.hidden || ask("/api/home").then((home) => show(home.runs), complain);
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    addEventListener("started", refresh);
    return () => clearInterval(timer);
  }, []);
  if (!runs.length) return null;
  const rows = runs.map((run) => ({ ...run, state: stateOf(run), money: run.final_assets ?? run.curve.at(-1),
    day: cell(run.day, `${run.day} of ${run.days}`), begun: new Date(1000 * run.created).toISOString().slice(0, 10) }));
  return html`<section aria-label="Recorded games" class="panel"><h2>Recorded games</h2>
    <p class="muted">${counted(runs.length, "game")}, newest first; forks stand below the game that they continue.</p>
    <${DataGrid} table="recorded games" cells=${CELLS} rows=${rows} keyOf=${(run) => `${run.id}/${run.episode}`} />
    </section>`;
}

for (const form of document.forms) form.addEventListener("submit", submit);
for (const choice of document.querySelectorAll(".rules-choice")) choice.addEventListener("change", chooseRules);
render(html`<${Recorded} />`, document.getElementById("recorded"));
