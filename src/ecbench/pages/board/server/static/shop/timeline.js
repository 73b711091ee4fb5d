// The timeline of a watched year: its chart, the day and turn that are looked at, races, the review, and branches.

import { counted } from "../../../../components/static/format.js";
import { html, useEffect, useRef, useState } from "../../../../components/static/preact.js";
import { YearChart } from "../../../../components/static/year_chart.js";
import { agentName, send } from "../page.js";
import { isTyping } from "./hooks.js";
import { RaceStandings, useRace } from "./race.js";
import { ReviewLegend, ReviewPanel, signsOf, useReview } from "./review.js";

const NEAR = 12; // failure modes that are listed around the chosen day
const YEAR_MS = 60_000; // in which the days of a year are played
const TICK_MS = 160;

export function Timeline({ store }) {
  const [race, home] = useRace(store);
  const review = useReview(store);
  const player = usePlayer(store);
  useKeys(store, review, player);
  const { timeline, withheld } = store.year;
  const year = { ...timeline, dots: [...marks(store).map(dotOf), ...race.partings], others: [...race.racers,
    ...store.par], value: review.review?.points, marks: signsOf(review.review) };
  return html`<section class="timeline" aria-label="The year">
    <${YearChart} year=${year} day=${store.day} height=${170} scrub=${true} choose=${(day) => store.goToDay(day)}
      marked=${({ week }) => review.jump(week)} />
    ${withheld ? html`<p class="where">day ${store.day} of ${timeline.days}</p>`
      : html`<${Steps} store=${store} home=${home} player=${player} />`}
    ${review.review ? html`<${ReviewLegend} review=${review.review} />` : null}
    <div class="beside"><${RaceStandings} store=${store} race=${race} years=${home.runs} />
      <${FailureModes} store=${store} /></div>
    <${ReviewPanel} made=${review} play=${(day) => branch(store, "engine", day)} /></section>`;
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

function marks(store) {
  return [...store.year.timeline.marks, ...(store.truth ? store.hiddenMarks.map((mark) => ({ ...mark, hidden: true }))
    : [])];
}

function dotOf({ day, mode, what, hidden }) {
  return { day, hidden, text: `${mode.replaceAll("_", " ")}: ${what}` };
}

function Steps({ store, home, player }) {
  const [heir, setHeir] = useState("yourself");
  const { timeline } = store.year;
  const heirs = ["yourself", ...home.merchants.map((merchant) => merchant.name),
    ...home.providers.map((name) => `${name}/MODEL`)];
  const step = (label, work) => html`<button type="button" onClick=${work}>${label}</button>`;
  return html`<div class="where"><span class="steps">
      <button type="button" class="play" aria-label=${player.playing ? "Pause" : "Play the days"}
        onClick=${player.toggle}>${player.playing ? "❚❚" : "▶"}</button>
      ${step("‹ day", () => store.stepDay(-1))}${step("‹ turn", () => store.stepTurn(-1))}
      <span class="turn" role="status">
        ${store.position ? `turn ${store.turn.toLocaleString("en")} of ${store.year.turns.toLocaleString("en")}` : ""}
        </span>
      ${step("turn ›", () => store.stepTurn(1))}${step("day ›", () => store.stepDay(1))}</span>
    ${timeline.ending == null ? html`<button type="button" aria-pressed=${store.following}
      onClick=${() => store.follow()}>Follow live</button>` : null}
    ${store.year.hidden_truth
      ? html`<label title="What no player can know: the suppliers' lowest prices, who cheats, the best prices">
      <input type="checkbox" checked=${store.truth} onChange=${(event) => store.setTruth(event.target.checked)} /> show
      hidden truth and the review</label>` : null}
    <span class="branch"><input list="heirs" value=${heir} size="14"
      aria-label="Who plays on from here: yourself, a merchant or a model"
      onInput=${(event) => setHeir(event.target.value)} />
      <datalist id="heirs">${heirs.map((name) => html`<option value=${name} />`)}</datalist>
      <button type="button" onClick=${() => branch(store, heir === "yourself" ? "person" : heir, store.day)}>
        Play on from here</button></span></div>`;
}

// A branch plays on from its end; what the engine did is looked at from the day it took over.
async function branch(store, agent, day) {
  const made = await store.attempt(() => send(`${store.path}/branch`, { agent, day }));
  const raced = `race=${store.run}:${store.episode}${agent === "engine" ? `&day=${day}` : ""}`;
  if (made) location.href = `/runs/${made.id}/${made.episode}/today?${raced}`;
}

// The failure modes around the chosen day, to be jumped to.
function FailureModes({ store }) {
  const all = marks(store);
  if (!all.length) return null;
  const near = [...all].sort((a, b) => Math.abs(a.day - store.day) - Math.abs(b.day - store.day)).slice(0, NEAR)
    .sort((a, b) => a.day - b.day);
  const hits = all.reduce((sum, mark) => sum + mark.hits, 0);
  const seen = store.year.hidden_truth && !store.truth ? " that the agent could see" : "";
  return html`<details class="modes"><summary>Failure modes: ${counted(hits, "hit")}${seen}</summary>
    <ul>${near.map((mark) => html`<li key=${`${mark.mode} ${mark.day}`}>
      <button type="button" onClick=${() => (mark.turn ? store.go(mark.turn) : store.goToDay(mark.day))}>day ${mark.day}
      </button> ${mark.mode.replaceAll("_", " ")}: ${mark.what}
      ${mark.hits > 1 ? ` (and ${mark.hits - 1} more that day)` : ""}</li>`)}</ul></details>`;
}

// Keys of watching. Letters belong to a field in which one types, arrows to anything that they move or scroll.
function useKeys(store, review, player) {
  const keys = useRef(null);
  keys.current = {
    ArrowLeft: (event) => (event.shiftKey ? store.stepTurn(-1) : store.stepDay(-1)),
    ArrowRight: (event) => (event.shiftKey ? store.stepTurn(1) : store.stepDay(1)),
    Home: () => store.goToDay(0),
    End: () => store.go(store.year.turns),
    m: (event) => review.step(event.shiftKey ? -1 : 1),
    h: () => store.setTruth(!store.truth),
    f: () => store.follow(),
    p: () => player.toggle(),
  };
  useEffect(() => {
    const press = (event) => {
      const work = keys.current[event.key === "M" ? "m" : event.key];
      const taken = isTyping(event.target) || (event.key.length > 1
        && event.target.matches?.("input[type=range], input[type=radio], [tabindex='0']"));
      if (!work || event.ctrlKey || event.metaKey || event.altKey || taken) return;
      event.preventDefault();
      work(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

export function titleOfYear(year) {
  return `${year.own ? "Your game" : agentName(year.timeline.agent)} on ${year.timeline.world}${year.fork
    ? `, ${year.fork}` : ""}`;
}
