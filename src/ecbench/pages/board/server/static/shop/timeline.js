// The timeline of a watched year: its chart, the day and turn that are looked at, races, the review, and branches.

import { html, useEffect, useRef, useState } from "../../components/preact.js";
import { YearChart } from "../../components/year_chart.js";
import { agentName, send } from "../page.js";
import { ReviewOfYear } from "../review.js";
import { isTyping } from "./app.js";
import { RaceStandings, useRace } from "./race.js";

const NEAR = 12; // failure modes that are listed around the chosen day

export function Timeline({ store }) {
  const places = { chart: useRef(null), review: useRef(null), legend: useRef(null) };
  const parts = useRef(null);
  const [race, shelf] = useRace(store);
  useEffect(() => {
    parts.current = partsOf(store, places);
    return () => parts.current.chart.destroy();
  }, []);
  useEffect(() => { parts.current.review.show(store.truth).then(() => store.changed()); }, [store.truth]);
  useEffect(() => draw(store, parts.current, race));
  useKeys(store, parts);
  return html`<section class="timeline" aria-label="The year">
    <div ref=${places.chart}></div>
    <${Steps} store=${store} shelf=${shelf} />
    <p ref=${places.legend} class="verdict-legend muted" hidden></p>
    <div class="beside"><${RaceStandings} store=${store} race=${race} years=${shelf.runs} /><${FailureModes} store=${store} /></div>
    <section ref=${places.review} class="panel review" aria-label="Review" aria-live="polite" hidden></section>
  </section>`;
}

// The parts that draw themselves: they were made for pages without components.
function partsOf(store, places) {
  const review = new ReviewOfYear({ panel: places.review.current, legend: places.legend.current }, store.path, {
    go: async (day) => { await store.goToDay(day); return store.turn; },
    play: (day) => branch(store, "engine", day),
    changed: () => store.changed(),
  });
  const chart = new YearChart(places.chart.current, { height: 170, chosen: (day) => store.goToDay(day), marked: ({ week }) => review.jump(week) });
  return { review, chart };
}

function draw(store, { review, chart }, race) {
  review.render(store.day, store.turn);
  chart.show({ ...store.year.timeline, dots: [...marks(store).map(dotOf), ...race.partings], others: race.racers, value: review.year?.points, marks: review.signs });
  chart.pick(store.day);
}

function marks(store) {
  return [...store.year.timeline.marks, ...(store.truth ? store.hiddenMarks.map((mark) => ({ ...mark, hidden: true })) : [])];
}

function dotOf({ day, mode, what, hidden }) {
  return { day, hidden, text: `${mode.replaceAll("_", " ")}: ${what}` };
}

function Steps({ store, shelf }) {
  const [heir, setHeir] = useState("yourself");
  const { timeline, withheld } = store.year;
  const heirs = ["yourself", ...shelf.merchants.map((merchant) => merchant.name), ...shelf.providers.map((name) => `${name}/MODEL`)];
  const shown = store.position ? `turn ${store.turn.toLocaleString("en")} of ${store.year.turns.toLocaleString("en")}` : "";
  return html`<input class="scrub" type="range" min="0" max=${timeline.days} value=${store.day} aria-label="Day" aria-valuetext=${`day ${store.day} of ${timeline.days}`} onInput=${(event) => store.goToDay(Number(event.target.value))} />
    ${withheld ? html`<p class="where">day ${store.day} of ${timeline.days}</p>` : html`<div class="where"><span class="steps">
      <button type="button" onClick=${() => store.stepDay(-1)}>‹ day</button><button type="button" onClick=${() => store.stepTurn(-1)}>‹ turn</button>
      <span class="turn" role="status">${shown}</span>
      <button type="button" onClick=${() => store.stepTurn(1)}>turn ›</button><button type="button" onClick=${() => store.stepDay(1)}>day ›</button></span>
      ${timeline.ending == null ? html`<button type="button" aria-pressed=${store.following} onClick=${() => store.follow()}>Follow live</button>` : null}
      ${store.year.hidden_truth ? html`<label title="What no player can know: the suppliers' lowest prices, who cheats, the best prices"><input type="checkbox" checked=${store.truth} onChange=${(event) => store.setTruth(event.target.checked)} /> show hidden truth and the review</label>` : null}
      <span class="branch"><input list="heirs" value=${heir} size="14" aria-label="Who plays on from here: yourself, a merchant or a model" onInput=${(event) => setHeir(event.target.value)} />
        <datalist id="heirs">${heirs.map((name) => html`<option value=${name} />`)}</datalist>
        <button type="button" onClick=${() => branch(store, heir === "yourself" ? "person" : heir, store.day)}>Play on from here</button></span></div>`}`;
}

// A branch plays on from its end; what the engine did is looked at from the day it took over.
async function branch(store, agent, day) {
  const made = await store.attempt(() => send(`${store.path}/branch`, { agent, day }));
  if (made) location.href = `/runs/${made.id}/${made.episode}/today?race=${store.run}:${store.episode}${agent === "engine" ? `&day=${day}` : ""}`;
}

// The failure modes around the chosen day, to be jumped to.
function FailureModes({ store }) {
  const all = marks(store);
  if (!all.length) return null;
  const near = [...all].sort((a, b) => Math.abs(a.day - store.day) - Math.abs(b.day - store.day)).slice(0, NEAR).sort((a, b) => a.day - b.day);
  const hits = all.reduce((sum, mark) => sum + mark.hits, 0);
  const seen = store.year.hidden_truth && !store.truth ? " that the agent could see" : "";
  return html`<details class="modes"><summary>Failure modes: ${hits.toLocaleString("en")} ${hits === 1 ? "hit" : "hits"}${seen}</summary>
    <ul>${near.map((mark) => html`<li key=${`${mark.mode} ${mark.day}`}><button type="button" onClick=${() => (mark.turn ? store.go(mark.turn) : store.goToDay(mark.day))}>day ${mark.day}</button> ${mark.mode.replaceAll("_", " ")}: ${mark.what}${mark.hits > 1 ? ` (and ${mark.hits - 1} more that day)` : ""}</li>`)}</ul></details>`;
}

// Keys of watching. Letters belong to a field in which one types, arrows to anything that they move or scroll.
function useKeys(store, parts) {
  useEffect(() => {
    const keys = {
      ArrowLeft: (event) => (event.shiftKey ? store.stepTurn(-1) : store.stepDay(-1)),
      ArrowRight: (event) => (event.shiftKey ? store.stepTurn(1) : store.stepDay(1)),
      Home: () => store.goToDay(0),
      End: () => store.go(store.year.turns),
      m: (event) => parts.current.review.step(event.shiftKey ? -1 : 1, store.day, store.turn),
      h: () => store.setTruth(!store.truth),
      f: () => store.follow(),
    };
    const press = (event) => {
      const work = keys[event.key === "M" ? "m" : event.key];
      const taken = isTyping(event.target) || (event.key.length > 1 && event.target.matches?.("input[type=range], input[type=radio], [tabindex='0']"));
      if (!work || event.ctrlKey || event.metaKey || event.altKey || taken) return;
      event.preventDefault();
      work(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

export function titleOfYear(year) {
  return `${year.own ? "Your game" : agentName(year.timeline.agent)} on ${year.timeline.world}${year.fork ? `, ${year.fork}` : ""}`;
}
