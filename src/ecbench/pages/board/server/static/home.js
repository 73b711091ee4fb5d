// Home: the games that a person can start, agents that can be let play, and all recorded games of the folder.

import { Choice, Sparkline } from "../../../components/static/controls.js";
import { counted, yuan } from "../../../components/static/format.js";
import { html, render, useEffect, useState } from "../../../components/static/preact.js";
import { DataGrid, money, number, text } from "../../../components/static/table.js";
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
  const play = (terms) => attempt(async () => {
    const made = await send("/api/play", terms);
    location.href = `/runs/${made.id}/${made.episode}/today`;
  });
  const start = (terms) => attempt(async () => {
    await send("/api/runs", terms);
    say({ text: "The agent is playing. Its game is in the list below.", bad: false });
    await refresh();
  });
  return html`<header class="bar"><h1>E-Commerce Bench</h1><p class="lead">
    Run an online shop yourself, or watch how an agent ran one.</p></header>
    <main>${home ? html`<section id="games" aria-label="Play" class="starters">
        ${home.games.map((game) => html`<${Game} key=${game.name} game=${game} home=${home} play=${play} />`)}
        ${home.position ? html`<${PositionOfTheDay} position=${home.position} attempt=${attempt} />` : null}</section>
      <${OwnTerms} home=${home} play=${play} /><${Agents} home=${home} start=${start} />
      <p id="status" role="status" class=${message?.bad ? "bad" : ""}>${message?.text}</p>
      ${home.runs.length ? html`<section aria-label="Recorded games" class="panel"><h2>Recorded games</h2>
        <${Recorded} runs=${home.runs} /></section>` : null}`
    : html`<p role="status" class=${message ? "bad" : "muted"}>${message?.text ?? "Looking …"}</p>`}</main>`;
}

// The challenge keeps the result that counts in sight, whatever is practised meanwhile.
function Game({ game, home: { attempts, rules, runs }, play }) {
  const challenge = game.name === "challenge";
  const mine = (run) => run.transport === "board" && run.ending == null && run.days === game.days && !run.fork;
  const underWay = (challenge ? attempts.find((each) => each.ending == null) : runs.find(mine))?.id;
  const begin = (event) => play(challenge ? { game: game.name } : { world: "default", days: game.days,
    ...givenIn(event) });
  const label = challenge && attempts.length ? "Practise: this attempt does not count" : underWay ? "Start a new one"
    : `Play ${game.days} days`;
  return html`<form class="panel game" onSubmit=${(event) => { event.preventDefault(); begin(event); }}>
    <h2>${game.title}</h2><p>${game.about}</p>
    ${challenge ? html`<${Counted} attempt=${attempts[0]} />`
      : html`<${RulesChoice} rules=${rules} label=${`Rules of ${game.title}`} />`}
    <div class="start">${underWay && html`<a class="button" href=${`/runs/${underWay}/0/today`}>Play on</a>`}
      <button>${label}</button></div></form>`;
}

function Counted({ attempt }) {
  if (!attempt) return null;
  if (attempt.ending == null) return html`<p>Your attempt that counts is being played.</p>`;
  return html`<p>Your attempt that counts ended with <strong>${yuan(attempt.final_assets)}</strong>
    ${attempt.ending === "year_end" ? "" : `, ${endingWords(attempt.ending)}`}${". "}
    <a href=${`/runs/${attempt.id}/0/today`}>Its result</a></p>`;
}

// One move of a recorded game: the visitor plays the day, then sees what the player and the engine did.
function PositionOfTheDay({ position, attempt }) {
  const begin = (event) => {
    event.preventDefault();
    attempt(async () => {
      const made = await send(`/api/runs/${position.id}/${position.episode}/branch`,
        { agent: "person", day: position.day });
      const asked = `${position.id}:${position.episode}:${position.day}`;
      location.href = `/runs/${made.id}/${made.episode}/today?position=${asked}`;
    });
  };
  return html`<form class="panel game" onSubmit=${begin}><h2>Position of the day</h2>
    <p>Day ${position.day} of ${agentName(position.agent)} on ${position.world}: <strong>${yuan(position.cost)}
      </strong> at stake. Your move: play one day, then see what the player did and what the engine would have done.</p>
    <div class="start"><button>Play this day</button></div></form>`;
}

// A choice of rules with a sentence about the chosen ones, and what else those rules leave to choose.
function RulesChoice({ rules, label }) {
  const [name, choose] = useState(rules[0].name);
  const { about, choices } = rules.find((each) => each.name === name);
  return html`<div><${Choice} name="rules" aria-label=${label} choices=${rules.map((each) => [each.name,
      `Rules: ${each.name}`])} value=${name} set=${choose} />
    ${choices.map((each) => html` <label>${each.title} <select name=${each.name}>
      ${each.values.map((value) => html`<option value=${value}>${value}</option>`)}</select></label>`)}
    <p class="muted" aria-live="polite">${about}</p></div>`;
}

// What a form gives; its days are a number.
function givenIn(event) {
  const given = Object.fromEntries(new FormData(event.target));
  return "days" in given ? { ...given, days: Number(given.days) } : given;
}

function termsOf(event) {
  event.preventDefault();
  return givenIn(event);
}

function WorldAndDays() {
  return html`<label>World <input name="world" value="default" size="12" /></label>
    <label>Days <input name="days" type="number" min="1" max="36525" value="365" /></label>`;
}

function OwnTerms({ home, play }) {
  const code = new URLSearchParams(location.search).get("code") ?? "";
  return html`<details class="panel" id="own-terms" open=${Boolean(code)}><summary>
    Play on your own terms, or a challenge that somebody sent you</summary>
    <form id="code" onSubmit=${(event) => play(termsOf(event))}>
      <label>Code of a challenge <input name="code" value=${code} required size="26"
        placeholder="seed-20260101/30/fair" /></label><button>Open it</button></form>
    <form id="play" onSubmit=${(event) => play(termsOf(event))}><${WorldAndDays} />
      <label>Rivals <input name="rivals" placeholder="none, or steady, haggler" size="22" /></label>
      <${RulesChoice} rules=${home.rules} label="Rules" />
      <p class="muted">The world default is the same market in every game. Rivals are built-in merchants that trade in
        the same market: steady, haggler, first-quote.</p>
      <button>Start playing</button></form></details>`;
}

function Agents({ home, start }) {
  const names = [...home.merchants.map((merchant) => merchant.name), ...home.providers.map((name) => `${name}/MODEL`)];
  return html`<details class="panel" id="agents-terms"><summary>Let an agent play</summary>
    <form id="start" onSubmit=${(event) => start(termsOf(event))}><label>Agent <input name="agent" list="agents"
      value="steady" size="18" /></label>
      <datalist id="agents">${names.map((name) => html`<option value=${name} />`)}</datalist><${WorldAndDays} />
      <p class="muted">A built-in merchant (${home.merchants.map((merchant) => merchant.name).join(", ")}
        ), or PROVIDER/MODEL if this server has the provider's key. It plays by itself, and you can watch.</p>
      <button>Start</button></form></details>`;
}

const COLUMNS = [
  text("agent", "Played by", { cell: (run) => html`<a href=${`/runs/${run.id}/${run.episode}`}>${run.agent}
    ${run.episodes > 1 && ` #${run.episode}`}</a>${run.fork && html`<div class="muted">${run.fork}</div>`}` }),
  text("world", "World", { cell: (run) => html`${run.world}<div class="muted">${run.rules} rules</div>` }),
  number("day", "Day", { cell: (run) => `${run.day} of ${run.days}` }),
  text("ending", "Ending", { value: stateOf, cell: (run) => html`<span class=${run.live ? "tag live" : "tag"}
    title=${run.withheld ? HIDDEN : null}>${stateOf(run)}</span>` }),
  money("money", "Money", { digits: 0, value: (run) => run.final_assets ?? run.curve.at(-1) }),
  text("curve", "Money by day", { value: () => "", cell: (run) => run.curve.length > 1 && html`<${Sparkline}
    values=${run.curve} label=${`Assets from ${yuan(run.curve[0])} to ${yuan(run.curve.at(-1))}`} />` }),
  number("created", "Begun", { cell: (run) => new Date(1000 * run.created).toISOString().slice(0, 10) }),
  text("folder", "Folder"),
];

function stateOf(run) {
  if (run.live) return "being played";
  return run.withheld ? "hidden during play" : run.ending ? endingWords(run.ending) : run.turns ? "not finished"
    : "not begun";
}

function Recorded({ runs }) {
  return html`<p class="muted">${counted(runs.length, "game")}, newest first; forks stand below the game that they
    continue.</p>
    <${DataGrid} label="recorded games" columns=${COLUMNS} rows=${runs}
      keyOf=${(run) => `${run.id}/${run.episode}`} />`;
}

render(html`<${Home} />`, document.getElementById("app"));
