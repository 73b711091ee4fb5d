// Watching a year: its chart, the day and turn that are looked at, failure modes, the review, branches, and the turn.

import { Button, count, html, Tick, Part, useEffect, useRef, useState, yuan } from
  "../../../../components/static/kit.js";
import { YearChart } from "../../../../components/static/year_chart.js";
import { send } from "../page.js";
import { useKeys, useTruth } from "./store.js";

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
  const modes = useTruth(store, store.truth ? "truth/marks" : null);
  const failures = modes?.problem ? [] : modes ?? [];
  const year = { ...timeline, others: [...store.year.beside, ...store.par], value: made.review?.points,
    marks: made.review?.marks ?? [], dots: [
      ...(parted == null ? [] : [{ day: parted, parting: true, text: "other calls from here on" }]),
      ...failures.map(({ day, mode, what }) => ({ day, text: `${mode.replaceAll("_", " ")}: ${what}` }))] };
  return html`<section class="timeline" aria-label="The year">
    <${YearChart} year=${year} day=${store.day} height=${170} scrub=${true} choose=${(day) => store.goToDay(day)}
      marked=${weeks.jump} />
    ${withheld ? html`<p class="where">day ${store.day} of ${timeline.days}</p>`
      : html`<${Steps} store=${store} player=${player} />`}
    ${made.review && html`<p class="verdict-legend muted">${made.review.legend}</p>`}
    <${Beside} store=${store} />
    ${made.state && html`<section class="panel review" aria-label="Review" aria-live="polite">
      ${made.review ? html`<${Part} html=${made.review.html} />
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
    const timer = setInterval(() => {
      if (store.busy) return;
      const day = Math.min(last, first + Math.floor(((performance.now() - began) * Math.max(365, last)) / YEAR_MS));
      if (day !== store.day) store.goToDay(day);
      if (day >= last) play(false);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [playing]);
  return { playing, toggle: () => play(!playing) };
}

// What the rivals, or the game that it was branched from, have on the morning that is looked at, and the way there.
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
async function branch(store, agent, day) {
  const made = await store.attempt(() => send(`${store.path}/branch`, { agent, day }));
  if (made) location.href = `/runs/${made.id}/${made.episode}/today${agent === "engine" ? `?day=${day}` : ""}`;
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

function WeekPanel({ review: { weeks, marks }, weeks: { day, step }, play }) {
  const shown = weeks.find((each) => each.first <= day && day <= each.last) ?? weeks.at(-1);
  if (!shown) return html`<h2>Review</h2><p class="muted">The episode does not have two positions to compare yet.</p>`;
  return html`<${Part} html=${shown.html} /><div class="play-row">
      ${marks.length > 0 && html`
        <${Button} aria-label="Marked week before" label="‹ marked week" act=${() => step(-1, shown.first)} />
        <${Button} aria-label="Next marked week" label="marked week ›" act=${() => step(1, shown.first)} />`}
      <${Button} class="primary" label="What the engine did instead" act=${() => play(shown.first)} /></div>`;
}

export function WayToReview({ made: { state: { command, under_way: busy, output }, make } }) {
  if (busy) return html`<p role="status">A quick review is being made. ${output} <progress aria-label="The review">
    </progress></p>`;
  return html`<p>This episode has not been reviewed yet. A review says what each week was worth and which ones
    lost: <code>${command}</code></p>
    ${output && html`<p class="bad">${output}</p>`}<${Button} label="Review (quick)" act=${make} />`;
}

// What the agent of a watched year thought, said and called in the turn that is looked at, and what came back.
export function LastTurn({ store }) {
  return html`<${Part} html=${store.shown.did} />
    ${store.turn > 0 && html`<p><a href=${`${store.path}/turns/${store.turn}/raw`} target="_blank" rel="noopener">
      The whole turn as it is recorded</a></p>`}`;
}
