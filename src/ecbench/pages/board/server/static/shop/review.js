// What the engine says of the year: a curve for the chart, marks above it, and a panel for the chosen week.

import { percent, yuan } from "../../../../components/static/format.js";
import { html, useEffect, useRef, useState } from "../../../../components/static/preact.js";
import { DataGrid, money } from "../../../../components/static/table.js";
import { send } from "../page.js";

const LOOK_MS = 1000; // between two looks at a review that is being made
const VERDICTS = { "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
const CAUSES = [{ key: "title", title: "Lost on these days, beyond the usual" }, money("yuan", "Yuan", { digits: 0 })];
const STRATEGY = [
  { key: "title", title: "What the engine loses when it does the same" },
  money("loss", "Yuan", { digits: 0 }),
  money("band", "± 95%", { digits: 0 }),
  { key: "had", title: "This player had" },
];

// The review while hidden truth is shown, with ways to make one and to move among its marks.
export function useReview(store) {
  const [state, show] = useState(null);
  const jumped = useRef(null); // the week that was jumped to, and the turn that shows it
  const look = () => store.askTruth("truth/review").then(show, (problem) => store.say(problem.message, true));
  useEffect(() => {
    if (store.truth) look();
    else show(null);
  }, [store.path, store.truth]);
  useEffect(() => {
    if (!state?.under_way) return undefined;
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [state?.under_way]);
  const review = store.truth ? state?.review ?? null : null;
  // A day without a turn of its own shows the one before; the week jumped to is the one that is meant.
  const day = jumped.current?.turn === store.turn ? jumped.current.day : store.day;
  const jump = async (week) => {
    await store.goToDay(week.first_day);
    jumped.current = { day: week.first_day, turn: store.turn };
    store.changed();
  };
  const step = (by, from = day) => {
    if (!review) return store.say(store.truth ? "This episode has no review yet."
      : "Marked weeks are hidden truth: press h to show it.");
    const next = by > 0 ? review.marks.find((week) => week.first_day > from)
      : review.marks.findLast((week) => week.first_day < from);
    if (next) return jump(next);
    return store.say(review.marks.length ? `No marked week ${by > 0 ? "after" : "before"} day ${from}.`
      : "No week of this episode is marked.");
  };
  const make = () => store.attempt(async () => show(await send(`${store.path}/review`, {})));
  return { state: store.truth ? state : null, review, day, jump, step, make };
}

// For the chart: a sign for each marked week.
export function signsOf(review) {
  return (review?.marks ?? []).map((week) => ({
    week, day: week.first_day, last: week.last_day, sign: week.mark, kind: week.verdict,
    text: `${week.verdict}, days ${week.first_day} to ${week.last_day}, ${yuan(
      week.cost)} more than usual; ${week.certainty}`,
  }));
}

export function ReviewLegend({ review: { points, accuracy, accuracy_band: error, variants, quick } }) {
  const kept = accuracy == null ? "" : `The episode kept ${percent(accuracy, 1)} ± ${percent(error, 1)} of it. `;
  const depth = `${quick ? "a quick look with a wider band: "
    : ""}${variants} variants at each of ${points.length} positions`;
  return html`<p class="verdict-legend muted">The final assets of the engine from here, with its 95% band (
    ${yuan(points[0].value)} from day 0; ${depth}). ${kept}
    ${Object.entries(VERDICTS).map(([mark, verdict]) => html`<b class=${`verdict ${verdict}`}>${mark}</b> ${verdict} `)}
      </p>`;
}

export function ReviewPanel({ made, play }) {
  if (!made.state) return null;
  return html`<section class="panel review" aria-label="Review" aria-live="polite">
    ${made.review ? html`<${Strategy} rows=${made.review.strategy} /><${WeekPanel} made=${made} play=${play} />`
      : html`<h2>Review</h2><${WayToOne} made=${made} />`}</section>`;
}

function Strategy({ rows }) {
  if (!rows.length) return null;
  const [first] = [...rows].sort((a, b) => b.loss - a.loss);
  return html`<h2>The strategy of the whole episode</h2><p>The dearest habit: <strong>${first.title}</strong>
    , ${yuan(first.loss)} ± ${yuan(first.band)}. This player had ${first.had}.</p>
    <details><summary>Every habit</summary><${DataGrid} label="habits" columns=${STRATEGY} rows=${rows}
      keyOf=${(row) => row.title} search=${false} /></details>`;
}

function WeekPanel({ made: { review: { weeks, marks }, day, step }, play }) {
  const within = (each) => each.first_day <= day && day <= each.last_day;
  const mark = marks.find(within);
  const week = weeks.find(within) ?? weeks.at(-1);
  if (!week) return html`<h2>Review</h2><p class="muted">The episode does not have two positions to compare yet.</p>`;
  const { first_day: first, last_day: last } = mark ?? week;
  return html`<h2>Review of ${first === last ? `day ${first}` : `days ${first} to ${last}`}
    ${mark ? html` <b class=${`verdict ${mark.verdict}`}>${mark.mark} ${mark.verdict}</b>` : null}</h2>
    ${mark ? html`<p>${yuan(mark.cost)} more than this player usually loses: ${mark.certainty}.
      ${mark.until > last ? ` It stayed unusual until day ${mark.until}.` : ""}</p>
      <${DataGrid} label="causes" columns=${CAUSES} rows=${mark.causes} keyOf=${(cause) => cause.title} search=${false}
        empty="The account has nothing for these days." />` : null}
    <p class=${mark ? "muted" : ""}>${told(week, !mark)}</p>
    <div class="play-row"><button type="button" aria-label="Marked week before" onClick=${() => step(-1, first)}>
      ‹ marked week</button>
      <button type="button" aria-label="Next marked week" onClick=${() => step(1, first)}>marked week ›</button>
      <button type="button" class="primary" onClick=${() => play(first)}>What the engine did instead</button></div>`;
}

function WayToOne({ made: { state: { command, under_way: busy, output: output }, make } }) {
  if (busy) return html`<p role="status">A quick review is being made. ${output} <progress aria-label="The review">
    </progress></p>`;
  return html`<p>This episode has not been reviewed yet. A review says what each week was worth and which ones
    lost: <code>${command}</code></p>
    ${output ? html`<p class="bad">${output}</p>` : null}<button type="button" onClick=${make}>Review (quick)</button>`;
}

function told(week, alone) {
  const days = `${week.loss < 0 ? "gained"
    : "lost"} ${yuan(Math.abs(week.loss))} ± ${yuan(week.band)} of the engine's value (95%)`;
  const usual = `; this player usually loses ${yuan(week.usual)} in such days`;
  const recovered = week.recovered_on == null ? ""
    : ` It was made good by day ${week.recovered_on}, so it has no mark.`;
  const chance = alone && week.loss > week.usual && !recovered
    ? " No mark: chance or habit explains it, or it is less than 5% of the value." : "";
  return `Days ${week.first_day} to ${week.last_day} ${days}${usual}.${recovered}${chance}`;
}
