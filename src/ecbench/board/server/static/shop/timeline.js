// The timeline of a watched year: its chart, the day and turn that are looked at, races, the review, and branches.

import { html, useEffect, useRef, useState } from "../../components/preact.js";
import { YearChart } from "../../components/year_chart.js";
import { agentName, ask, send } from "../page.js";
import { Race } from "../race.js";
import { ReviewOfYear } from "../review.js";

const NEAR = 12; // failure modes that are listed around the chosen day

export function Timeline({ store }) {
  const places = { chart: useRef(null), race: useRef(null), review: useRef(null), legend: useRef(null) };
  const parts = useRef(null);
  const [years, setYears] = useState({ runs: [], heirs: [] });
  useEffect(() => {
    parts.current = partsOf(store, places);
    ask("/api/shelf").then((shelf) => {
      setYears({ runs: shelf.runs, heirs: ["yourself", ...shelf.merchants.map((merchant) => merchant.name), ...shelf.providers.map((name) => `${name}/MODEL`)] });
      return parts.current.race.begin(new URLSearchParams(location.search).get("race"), store.year.rivals);
    });
    return () => parts.current.chart.destroy();
  }, []);
  useEffect(() => { parts.current.review.show(store.truth).then(() => draw(store, parts.current, years.runs)); }, [store.truth]);
  useEffect(() => draw(store, parts.current, years.runs));
  useKeys(store, parts);
  return html`<section class="timeline" aria-label="The year">
    <div ref=${places.chart}></div>
    <${Steps} store=${store} heirs=${years.heirs} />
    <p ref=${places.legend} class="muted" hidden></p>
    <div class="beside"><div ref=${places.race} role="group" aria-label="Race"></div><${FailureModes} store=${store} /></div>
    <section ref=${places.review} class="panel" aria-label="Review" aria-live="polite" hidden></section>
  </section>`;
}

// The parts that draw themselves: they were made for pages without components.
function partsOf(store, places) {
  const redraw = () => store.changed();
  const review = new ReviewOfYear({ panel: places.review.current, legend: places.legend.current }, store.path, {
    go: async (day) => { await store.goToDay(day); return store.turn; },
    play: (day) => branch(store, "engine", day),
    changed: redraw,
  });
  const chart = new YearChart(places.chart.current, { height: 170, chosen: (day) => store.goToDay(day), marked: ({ week }) => review.jump(week) });
  const race = new Race(places.race.current, store.path, () => { store.raced = race.address; store.note(); redraw(); });
  return { review, chart, race };
}

function draw(store, parts, years) {
  const { timeline } = store.year;
  const { review, chart, race } = parts;
  review.render(store.day, store.turn);
  chart.show({ ...timeline, dots: [...marks(store).map(dotOf), ...race.partings], others: race.racers, value: review.year?.points, marks: review.signs });
  chart.pick(store.day);
  race.show(store.day, timeline.total, timeline.ending != null, years);
}

function marks(store) {
  return [...store.year.timeline.marks, ...(store.truth ? store.hiddenMarks.map((mark) => ({ ...mark, hidden: true })) : [])];
}

function dotOf({ day, mode, what, hidden }) {
  return { day, hidden, text: `${mode.replaceAll("_", " ")}: ${what}` };
}

function Steps({ store, heirs }) {
  const [heir, setHeir] = useState("yourself");
  const { timeline } = store.year;
  const shown = store.position ? `turn ${store.turn.toLocaleString("en")} of ${store.year.turns.toLocaleString("en")}` : "";
  return html`<input class="scrub" type="range" min="0" max=${timeline.days} value=${store.day} aria-label="Day" aria-valuetext=${`day ${store.day} of ${timeline.days}`} onInput=${(event) => store.goToDay(Number(event.target.value))} />
    <div class="where"><span class="steps">
      <button type="button" onClick=${() => store.stepDay(-1)}>‹ day</button><button type="button" onClick=${() => store.stepTurn(-1)}>‹ turn</button>
      <span class="turn" role="status">${shown}</span>
      <button type="button" onClick=${() => store.stepTurn(1)}>turn ›</button><button type="button" onClick=${() => store.stepDay(1)}>day ›</button></span>
      ${timeline.ending == null && !store.year.withheld && !store.year.playable ? html`<button type="button" aria-pressed=${store.following} onClick=${() => store.follow()}>Follow live</button>` : null}
      ${store.year.hidden_truth ? html`<label><input type="checkbox" checked=${store.truth} onChange=${(event) => store.setTruth(event.target.checked)} /> show hidden truth and the review</label>` : null}
      <span class="branch"><input list="heirs" value=${heir} size="14" aria-label="Who plays on from here: yourself, a merchant or a model" onInput=${(event) => setHeir(event.target.value)} />
        <datalist id="heirs">${heirs.map((name) => html`<option value=${name} />`)}</datalist>
        <button type="button" onClick=${() => branch(store, heir === "yourself" ? "person" : heir, store.day)}>Play on from here</button></span></div>`;
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

// Keys of watching; where a control has the focus they are its own.
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
      if (!work || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select, button, [role=slider], [tabindex]")) return;
      event.preventDefault();
      work(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

export function titleOfYear(year) {
  return `${agentName(year.timeline.agent)} on ${year.timeline.world}${year.fork ? `, ${year.fork}` : ""}`;
}
