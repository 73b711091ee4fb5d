// Watching a year: its chart, the day and turn that are looked at, failure modes, the review, branches, and the turn.

import { CallCard } from "../../../../components/static/call_card.js";
import { Button, Tick } from "../../../../components/static/controls.js";
import { count, counted, yuan } from "../../../../components/static/format.js";
import { html, useEffect, useRef, useState } from "../../../../components/static/preact.js";
import { DataGrid } from "../../../../components/static/table.js";
import { YearChart } from "../../../../components/static/year_chart.js";
import { ask, send } from "../page.js";
import { useAnswer, useKeys } from "./store.js";

const NEAR = 12; // failure modes that are listed around the chosen day
const YEAR_MS = 60_000; // in which the days of a year are played
const TICK_MS = 160;
const LOOK_MS = 1000; // between two looks at a review that is being made

export function Timeline({ store }) {
  const made = useReview(store, store.truth);
  const player = usePlayer(store);
  const weeks = useWeeks(store, made.review);
  useKeys({
    ArrowLeft: (event) => (event.shiftKey ? store.stepTurn(-1) : store.stepDay(-1)),
    ArrowRight: (event) => (event.shiftKey ? store.stepTurn(1) : store.stepDay(1)),
    Home: () => store.goToDay(0), End: () => store.go(store.year.turns), m: () => weeks.step(1),
    M: () => weeks.step(-1), h: () => store.setTruth(!store.truth), f: () => store.follow(), p: player.toggle,
  }, (event) => event.key.length > 1 && event.target.matches?.("input[type=range], input[type=radio], [tabindex='0']"));
  const { timeline, withheld, parted } = store.year;
  const marks = [...timeline.marks, ...store.hiddenMarks.map((mark) => ({ ...mark, hidden: true }))];
  const year = { ...timeline, others: besideOf(store), value: made.review?.points,
    marks: made.review?.marks ?? [], dots: [
      ...(parted == null ? [] : [{ day: parted, parting: true, text: "other calls from here on" }]),
      ...marks.map(({ day, hidden, mode, what }) =>
        ({ day, hidden, text: `${mode.replaceAll("_", " ")}: ${what}` }))] };
  return html`<section class="timeline" aria-label="The year">
    <${YearChart} year=${year} day=${store.day} height=${170} scrub=${true} choose=${(day) => store.goToDay(day)}
      marked=${weeks.jump} />
    ${withheld ? html`<p class="where">day ${store.day} of ${timeline.days}</p>`
      : html`<${Steps} store=${store} player=${player} />`}
    ${made.review && html`<p class="verdict-legend muted">${made.review.legend}</p>`}
    <div class="beside"><${Beside} store=${store} />
      <${FailureModes} store=${store} marks=${marks} /></div>
    ${made.state && html`<section class="panel review" aria-label="Review" aria-live="polite">
      ${made.review ? html`<${Strategy} rows=${made.review.strategy} />
        <${WeekPanel} review=${made.review} weeks=${weeks} play=${(day) => branch(store, "engine", day)} />`
        : html`<h2>Review</h2><${WayToReview} made=${made} />`}</section>`}</section>`;
}

// Plays the days one after another: a whole year takes about a minute. A slow answer skips days, never the pace.
function usePlayer(store) {
  const [playing, play] = useState(false);
  useEffect(() => {
    if (!playing) return undefined;
    const last = store.year.timeline.turns.length - 1;
    const first = store.day >= last ? 0 : store.day;
    const began = performance.now();
    let busy = false;
    const timer = setInterval(async () => {
      if (busy) return;
      const day = Math.min(last, first + Math.floor(((performance.now() - began) * Math.max(365, last)) / YEAR_MS));
      busy = true;
      if (day !== store.day) await store.goToDay(day);
      busy = false;
      if (day >= last) play(false);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [playing]);
  return { playing, toggle: () => play(!playing) };
}

// The lines beside a year: its rivals in the market or the game that it was branched from, then its par.
export function besideOf(store) {
  return [...store.year.beside, ...store.par];
}

// What each of them has on the morning that is looked at, and the way to it.
export function Beside({ store }) {
  const { beside, parted } = store.year;
  return beside.length > 0 && html`<ul class="beside-year" aria-label="Beside this game">
    ${beside.map(({ name, run, episode, curve, over }, at) => html`<li key=${run} class=${`race-${at + 1}`}>
      <a href=${`/runs/${run}/${episode}?day=${store.day}`}>${name}</a>
      ${` ${yuan(curve[Math.min(store.day, curve.length - 1)])}${store.day < curve.length - 1 ? ""
        : over ? " at its end" : " so far"}${parted == null ? ""
        : `, other calls from day ${parted} on`}`}</li>`)}</ul>`;
}

function Steps({ store, player }) {
  const [heir, setHeir] = useState("yourself");
  const step = (label, act) => html`<${Button} label=${label} act=${act} />`;
  return html`<div class="where"><span class="steps">
      <${Button} class="play" aria-label=${player.playing ? "Pause" : "Play the days"} act=${player.toggle}
        label=${player.playing ? "❚❚" : "▶"} />
      ${step("‹ day", () => store.stepDay(-1))}${step("‹ turn", () => store.stepTurn(-1))}
      <span class="turn" role="status">${store.position && `turn ${count(store.turn)} of ${count(store.year.turns)}`}
        </span>
      ${step("turn ›", () => store.stepTurn(1))}${step("day ›", () => store.stepDay(1))}</span>
    ${store.year.timeline.ending == null && html`<${Button} aria-pressed=${store.following} label="Follow live"
      act=${() => store.follow()} />`}
    ${store.year.hidden_truth && html`<span
      title="What no player can know: the suppliers' lowest prices, who cheats, the best prices">
      <${Tick} label="show hidden truth and the review" on=${store.truth} set=${(on) => store.setTruth(on)} /></span>`}
    <span class="branch"><input list="heirs" value=${heir} size="14"
      aria-label="Who plays on from here: yourself, a merchant or a model"
      onInput=${(event) => setHeir(event.target.value)} />
      <datalist id="heirs">${["yourself", ...store.year.heirs].map((name) => html`<option value=${name} />`)}</datalist>
      ${step("Play on from here", () => branch(store, heir === "yourself" ? "person" : heir, store.day))}</span></div>`;
}

// A branch plays on from its end; what the engine did is looked at from the day it took over.
async function branch(store, agent, day, path = store.path) {
  const made = await store.attempt(() => send(`${path}/branch`, { agent, day }));
  if (made) location.href = `/runs/${made.id}/${made.episode}/today${agent === "engine" ? `?day=${day}` : ""}`;
}

// The failure modes around the chosen day, to be jumped to.
function FailureModes({ store, marks }) {
  if (!marks.length) return null;
  const near = marks.toSorted((a, b) => Math.abs(a.day - store.day) - Math.abs(b.day - store.day)).slice(0, NEAR)
    .sort((a, b) => a.day - b.day);
  const hits = marks.reduce((sum, mark) => sum + mark.hits, 0);
  const seen = store.year.hidden_truth && !store.truth ? " that the agent could see" : "";
  return html`<details class="modes"><summary>Failure modes: ${counted(hits, "hit")}${seen}</summary>
    <ul>${near.map((mark) => html`<li key=${`${mark.mode} ${mark.day}`}><${Button} label=${`day ${mark.day}`}
      act=${() => (mark.turn ? store.go(mark.turn) : store.goToDay(mark.day))} />
      ${` ${mark.mode.replaceAll("_", " ")}: ${mark.what}`}
      ${mark.hits > 1 && ` (and ${mark.hits - 1} more that day)`}</li>`)}</ul></details>`;
}

// The review of a year while it is `shown`, looked at again while one is being made, and a way to make one.
export function useReview(store, shown) {
  const [state, show] = useState(null);
  const look = () => store.askTruth("truth/review").then(show, (problem) => store.say(problem.message, true));
  useEffect(() => {
    show(null);
    if (shown) look();
  }, [store.path, shown]);
  useEffect(() => {
    const timer = state?.under_way ? setInterval(look, LOOK_MS) : null;
    return () => clearInterval(timer);
  }, [state?.under_way]);
  const make = () => store.attempt(async () => show(await send(`${store.path}/review`, {})));
  return { state: shown ? state : null, review: shown ? state?.review : null, make };
}

// The marked weeks: which one is looked at, and ways to others.
function useWeeks(store, review) {
  const jumped = useRef(null); // the week that was jumped to, and the turn that shows it
  // A day without a turn of its own shows the one before; the week jumped to is the one that is meant.
  const day = jumped.current?.turn === store.turn ? jumped.current.day : store.day;
  const jump = async (mark) => {
    await store.goToDay(mark.day);
    jumped.current = { day: mark.day, turn: store.turn };
    store.changed();
  };
  const step = (by, from = day) => {
    if (!review) return store.say(store.truth ? "This episode has no review yet."
      : "Marked weeks are hidden truth: press h to show it.");
    const next = by > 0 ? review.marks.find((mark) => mark.day > from)
      : review.marks.findLast((mark) => mark.day < from);
    if (next) return jump(next);
    return store.say(review.marks.length ? `No marked week ${by > 0 ? "after" : "before"} day ${from}.`
      : "No week of this episode is marked.");
  };
  return { day, jump, step };
}

function Strategy({ rows }) {
  if (!rows.length) return null;
  const first = rows.reduce((a, b) => (b.loss > a.loss ? b : a));
  return html`<h2>The strategy of the whole episode</h2><p>The dearest habit: <strong>${first.title}</strong>,
    ${` ${yuan(first.loss)} ± ${yuan(first.band)}. This player had ${first.had}.`}</p>
    <details><summary>Every habit</summary><${DataGrid} table="habits" rows=${rows}
      search=${false} /></details>`;
}

function WeekPanel({ review: { weeks, marks }, weeks: { day, step }, play }) {
  const mark = marks.find((each) => each.day <= day && day <= each.last);
  const week = weeks.find((each) => each.first <= day && day <= each.last) ?? weeks.at(-1);
  if (!week) return html`<h2>Review</h2><p class="muted">The episode does not have two positions to compare yet.</p>`;
  const [first, last] = mark ? [mark.day, mark.last] : [week.first, week.last];
  return html`<h2>Review of ${first === last ? `day ${first}` : `days ${first} to ${last}`}
    ${mark && html` <b class=${`verdict ${mark.kind}`}>${mark.sign} ${mark.kind}</b>`}</h2>
    ${mark && html`<p>${mark.sentence}</p><${DataGrid} table="causes" rows=${mark.causes} search=${false} />`}
    <p class=${mark ? "muted" : ""}>${week.sentence}</p>
    <div class="play-row">
      ${marks.length > 0 && html`
        <${Button} aria-label="Marked week before" label="‹ marked week" act=${() => step(-1, first)} />
        <${Button} aria-label="Next marked week" label="marked week ›" act=${() => step(1, first)} />`}
      <${Button} class="primary" label="What the engine did instead" act=${() => play(first)} /></div>`;
}

function WayToReview({ made: { state: { command, under_way: busy, output }, make } }) {
  if (busy) return html`<p role="status">A quick review is being made. ${output} <progress aria-label="The review">
    </progress></p>`;
  return html`<p>This episode has not been reviewed yet. A review says what each week was worth and which ones
    lost: <code>${command}</code></p>
    ${output && html`<p class="bad">${output}</p>`}<${Button} label="Review (quick)" act=${make} />`;
}

// What the agent of a watched year thought, said and called in the turn that is looked at, and what came back.
export function LastTurn({ store }) {
  const { last: turn, memory } = store.position;
  const notes = Object.entries(memory);
  const who = store.year.own ? "you" : "the agent";
  return html`<section class="panel" aria-label="The turn">
      <h2>${turn ? `What ${who} did in turn ${count(turn.number)}` : "Before the first turn"}</h2>
      ${turn ? html`${turn.evicted > 0 && html`<p class="muted">${count(turn.evicted)} tokens had left the model's
          context.</p>`}
        ${turn.reasoning && html`<div class="quote thought">${turn.reasoning}</div>`}
        ${turn.text && html`<div class="quote">${turn.text}</div>`}
        ${turn.cards.length ? turn.cards.map((card, at) => html`<${Card} key=${`${turn.number} ${at}`} card=${card}
          whole=${`${store.path}/turns/${turn.number}/raw`} at=${at} />`)
          : html`<p class="muted">No tool was called.</p>`}` : html`<p class="muted">Nobody has done anything yet.</p>`}
      </section>
    ${notes.length > 0 && html`<section class="panel" aria-label="Memory"><h2>Notes that it keeps</h2>
      ${notes.map(([title, words]) => html`<details key=${title} class="card"><summary>${title}</summary>
        <pre>${words}</pre></details>`)}</section>`}`;
}

function Card({ card, whole, at }) {
  const raw = async () => {
    const { calls, replies } = await ask(whole);
    return [JSON.stringify(calls[at].arguments), replies[at]];
  };
  return html`<${CallCard} title=${card.tool.replaceAll("_", " ")} notes=${[`${card.minutes} min`]} view=${card.view}
    raw=${raw} whole=${whole} />`;
}

// The position of the day: after the visitor's move, what the player did and what the engine would have done.
export function PositionPanel({ store }) {
  const [run, episode, asked] = store.asked.split(":");
  const day = Number(asked);
  const path = `/api/runs/${run}/${episode}`;
  const played = store.day > day || store.year.over;
  const moves = useAnswer(played ? `${path}/truth/positions/${day}/${store.run}/${store.episode}` : null,
    (address) => store.askTruth(address));
  return html`<section class="panel position" aria-label="Position of the day"><h1>Position of the day</h1>
    ${played ? html`<${Moves} moves=${moves} />
      <p class="row"><${Button} label="Watch what the engine does" act=${() => branch(store, "engine", day, path)} />
        <a class="button" href=${`/runs/${run}/${episode}/today?day=${day}`}>Watch the recorded game</a></p>`
      : html`<p>It is the morning of day ${day} of a recorded game, and your move. Do what you think best today, then
        close the day: you will see what the player did and what the engine would have done.</p>`}</section>`;
}

function Moves({ moves }) {
  if (!moves) return html`<p role="status">The engine plays on from all three positions …${" "}
    <progress aria-label="The engine"></progress></p>`;
  if (moves.problem) return html`<p class="bad">The moves cannot be compared: ${moves.problem}.</p>`;
  return html`<p>What the engine would end the episode with after each move:</p>
    <ol class="moves">${moves.map(({ who, value, did }) => html`<li key=${who}><strong>${who}: ${yuan(value)}</strong>
      ${value < moves[0].value && html` <span class="bad">${yuan(value - moves[0].value)}</span>`}
      ${did.length > 0 && html`<details><summary>What was done</summary>
        <ul>${did.map((each) => html`<li>${each}</li>`)}</ul></details>`}</li>`)}</ol>`;
}
