// Home: the games that a person can start, agents that can be let play, and all recorded games of the folder.

import { Choice, Field, Form, Sparkline } from "../../../components/static/controls.js";
import { counted, yuan } from "../../../components/static/format.js";
import { html, render, useEffect, useState } from "../../../components/static/preact.js";
import { DataGrid, cell } from "../../../components/static/table.js";
import { agentName, ask, endingWords, send } from "./page.js";

const REFRESH_MS = 2000;
const HIDDEN = "A person plays on this world. Until that game is over, other games on it show their money up to its "
  + "day, and nothing else.";

function Home() {
  const [home, show] = useState(null);
  const [message, say] = useState(null); // text, and whether it is bad
  const attempt = async (work) => {
    try {
      await work();
    } catch (problem) {
      say({ text: problem.message, bad: true });
    }
  };
  const refresh = () => attempt(async () => show(await ask("/api/home")));
  useEffect(() => {
    refresh();
    const timer = setInterval(() => !document.hidden && refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  // Opens the game that the server makes of some terms; its days are a number.
  const play = (terms, path = "/api/play", query = "") => attempt(async () => {
    const made = await send(path, numbered(terms));
    location.href = `/runs/${made.id}/${made.episode}/today${query}`;
  });
  const start = (terms) => attempt(async () => {
    await send("/api/runs", numbered(terms));
    say({ text: "The agent is playing. Its game is in the list below.", bad: false });
    await refresh();
  });
  return html`<header class="bar"><h1>E-Commerce Bench</h1><p class="lead">
    Run an online shop yourself, or watch how an agent ran one.</p></header>
    <main>${home ? html`<section id="games" aria-label="Play" class="starters">
        ${home.games.map((game) => html`<${Game} key=${game.name} game=${game} home=${home} play=${play} />`)}
        ${home.position ? html`<${PositionOfTheDay} position=${home.position} play=${play} />` : null}</section>
      <${OwnTerms} rules=${home.rules} play=${play} /><${Agents} home=${home} start=${start} />
      <p id="status" role="status" class=${message?.bad ? "bad" : ""}>${message?.text}</p>
      ${home.runs.length ? html`<section aria-label="Recorded games" class="panel"><h2>Recorded games</h2>
        <${Recorded} runs=${home.runs} /></section>` : null}`
    : html`<p role="status" class=${message ? "bad" : "muted"}>${message?.text ?? "Looking …"}</p>`}</main>`;
}

function numbered({ days, ...terms }) {
  return days === undefined ? terms : { ...terms, days: Number(days) };
}

// The challenge keeps the result that counts in sight, whatever is practised meanwhile.
function Game({ game, home: { attempts, rules, runs }, play }) {
  const challenge = game.name === "challenge";
  const mine = (run) => run.transport === "board" && run.ending == null && run.days === game.days && !run.fork;
  const underWay = (challenge ? attempts.find((each) => each.ending == null) : runs.find(mine))?.id;
  const label = challenge && attempts.length ? "Practise: this attempt does not count" : underWay ? "Start a new one"
    : `Play ${game.days} days`;
  return html`<${Form} class="panel game" label=${label} act=${(chosen) => play(challenge ? { game: game.name }
    : { world: "default", days: game.days, ...chosen })}><h2>${game.title}</h2><p>${game.about}</p>
    ${challenge ? html`<${Counted} attempt=${attempts[0]} />`
      : html`<${RulesChoice} rules=${rules} label=${`Rules of ${game.title}`} />`}
    ${underWay && html`<a class="button" href=${`/runs/${underWay}/0/today`}>Play on</a>`}</${Form}>`;
}

function Counted({ attempt }) {
  if (!attempt) return null;
  if (attempt.ending == null) return html`<p>Your attempt that counts is being played.</p>`;
  return html`<p>Your attempt that counts ended with <strong>${yuan(attempt.final_assets)}</strong>
    ${attempt.ending === "year_end" ? "" : `, ${endingWords(attempt.ending)}`}${". "}
    <a href=${`/runs/${attempt.id}/0/today`}>Its result</a></p>`;
}

// One move of a recorded game: the visitor plays the day, then sees what the player and the engine did.
function PositionOfTheDay({ position: { id, episode, day, agent, world, cost }, play }) {
  const begin = () => play({ agent: "person", day }, `/api/runs/${id}/${episode}/branch`,
    `?position=${id}:${episode}:${day}`);
  return html`<${Form} class="panel game" label="Play this day" act=${begin}><h2>Position of the day</h2>
    <p>Day ${day} of ${agentName(agent)} on ${world}: <strong>${yuan(cost)}
      </strong> at stake. Your move: play one day, then see what the player did and what the engine would have done.</p>
    </${Form}>`;
}

// A choice of rules with a sentence about the chosen ones, and what else those rules leave to choose.
function RulesChoice({ rules, label }) {
  const [name, choose] = useState(rules[0].name);
  const { about, choices } = rules.find((each) => each.name === name);
  return html`<div><${Choice} name="rules" aria-label=${label} choices=${rules.map((each) => [each.name,
      `Rules: ${each.name}`])} value=${name} set=${choose} />
    ${choices.map((each) => html` <${Choice} key=${each.name} name=${each.name} label=${each.title}
      choices=${each.values} />`)}
    <p class="muted" aria-live="polite">${about}</p></div>`;
}

const WORLD_AND_DAYS = html`<${Field} type="text" label="World" name="world" defaultValue="default" size="12" />
  <${Field} label="Days" name="days" min="1" max="36525" defaultValue="365" />`;

function OwnTerms({ rules, play }) {
  const code = new URLSearchParams(location.search).get("code") ?? "";
  return html`<details class="panel" id="own-terms" open=${Boolean(code)}><summary>
    Play on your own terms, or a challenge that somebody sent you</summary>
    <${Form} id="code" label="Open it" act=${play}><${Field} type="text" label="Code of a challenge" name="code"
      defaultValue=${code} required=${true} size="26" placeholder="seed-20260101/30/fair" /></${Form}>
    <${Form} id="play" label="Start playing" act=${play}>${WORLD_AND_DAYS}
      <${Field} type="text" label="Rivals" name="rivals" placeholder="none, or steady, haggler" size="22" />
      <${RulesChoice} rules=${rules} label="Rules" />
      <p class="muted">The world default is the same market in every game. Rivals are built-in merchants that trade in
        the same market: steady, haggler, first-quote.</p></${Form}></details>`;
}

function Agents({ home: { merchants, providers }, start }) {
  return html`<details class="panel" id="agents-terms"><summary>Let an agent play</summary>
    <${Form} id="start" label="Start" act=${start}><${Field} type="text" label="Agent" name="agent" list="agents"
      defaultValue="steady" size="18" />
      <datalist id="agents">${[...merchants, ...providers.map((name) => `${name}/MODEL`)]
        .map((name) => html`<option value=${name} />`)}</datalist>${WORLD_AND_DAYS}
      <p class="muted">A built-in merchant (${merchants.join(", ")}), or PROVIDER/MODEL if this server has the
        provider's key. It plays by itself, and you can watch.</p></${Form}></details>`;
}

const CELLS = {
  agent: ({ id, episode, episodes, agent, fork }) => html`<a href=${`/runs/${id}/${episode}`}>${agent}
    ${episodes > 1 && ` #${episode}`}</a>${fork && html`<div class="muted">${fork}</div>`}`,
  world: ({ world, rules }) => html`${world}<div class="muted">${rules} rules</div>`,
  state: ({ live, withheld, state }) => html`<span class=${live ? "tag live" : "tag"}
    title=${withheld ? HIDDEN : null}>${state}</span>`,
  curve: ({ curve }) => curve.length > 1 && html`<${Sparkline} values=${curve}
    label=${`Assets from ${yuan(curve[0])} to ${yuan(curve.at(-1))}`} />`,
};

function stateOf(run) {
  if (run.live) return "being played";
  return run.withheld ? "hidden during play" : run.ending ? endingWords(run.ending) : run.turns ? "not finished"
    : "not begun";
}

function Recorded({ runs }) {
  const rows = runs.map((run) => ({ ...run, state: stateOf(run), money: run.final_assets ?? run.curve.at(-1),
    day: cell(run.day, `${run.day} of ${run.days}`), begun: new Date(1000 * run.created).toISOString().slice(0, 10) }));
  return html`<p class="muted">${counted(runs.length, "game")}, newest first; forks stand below the game that they
    continue.</p>
    <${DataGrid} table="recorded games" cells=${CELLS} rows=${rows} keyOf=${(run) => `${run.id}/${run.episode}`} />`;
}

render(html`<${Home} />`, document.getElementById("app"));
