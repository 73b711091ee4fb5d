// What the engine says of the year: a curve for the chart, marks above it, and a panel for the chosen week.

import { ask, el, put, say, send, table, trying, yuan } from "./page.js";

const LOOK_MS = 1000; // between two looks at a review that is being made
const percent = (share) => `${(100 * share).toFixed(1)}%`;

export class ReviewOfYear {
  // `go` shows a day, `play` branches off at one as the engine, `changed` draws the chart anew.
  constructor(places, path, { go, play, changed }) {
    this.places = places;
    this.path = path;
    this.go = go;
    this.play = play;
    this.changed = changed;
    this.state = null;
    this.shown = false;
    this.jumped = { day: -1, turn: -1 };
  }

  get year() {
    return this.shown ? this.state?.review ?? null : null;
  }

  get marked() {
    return this.year?.marks ?? [];
  }

  // For the chart: a sign for each marked week.
  get signs() {
    return this.marked.map((week) => ({ week, day: week.first_day, last: week.last_day, sign: week.mark, kind: week.verdict, text: `${week.verdict}, days ${week.first_day} to ${week.last_day}, ${yuan(week.cost)} more than usual; ${week.certainty}` }));
  }

  async show(on) {
    this.shown = on;
    if (on) await this.look();
  }

  async look() {
    const found = await trying(() => ask(`${this.path}/truth/review`, { "X-Ecbench-Truth": "shown" }));
    if (!found) return;
    this.state = found;
    if (found.under_way) setTimeout(() => this.shown && this.look().then(this.changed), LOOK_MS);
  }

  async make() {
    const found = await trying(() => send(`${this.path}/review`, {}));
    if (!found) return;
    this.state = found;
    this.changed();
    if (found.under_way) setTimeout(() => this.shown && this.look().then(this.changed), LOOK_MS);
  }

  // A day without a turn of its own shows the one before; the week jumped to is the one that is meant.
  meant(day, turn) {
    return turn === this.jumped.turn ? this.jumped.day : day;
  }

  async step(by, day, turn) {
    if (!this.year) return say(this.shown ? "This year has no review yet." : "Marked weeks are hidden truth: press h to show it.");
    const now = this.meant(day, turn);
    const next = by > 0 ? this.marked.find((week) => week.first_day > now) : this.marked.findLast((week) => week.first_day < now);
    if (!next) return say(this.marked.length ? `No marked week ${by > 0 ? "after" : "before"} day ${now}.` : "No week of this year is marked.");
    say("");
    await this.jump(next);
  }

  async jump(week) {
    this.jumped = { day: week.first_day, turn: -1 };
    this.jumped.turn = await this.go(week.first_day);
    this.changed();
  }

  render(day, turn) {
    const { panel, legend } = this.places;
    legend.hidden = !this.year;
    panel.hidden = !this.shown || !this.state;
    put(legend, this.year ? this.legend() : null); // nothing hidden stays in the page
    if (panel.hidden) put(panel);
    else put(panel, this.year ? this.week(this.meant(day, turn)) : [el("h2", {}, "Review"), this.wayToOne()]);
  }

  legend() {
    const { points, accuracy, accuracy_band: error, variants, quick } = this.year;
    const kept = accuracy == null ? "" : `The year kept ${percent(accuracy)} ± ${percent(error)} of it. `;
    const depth = `${quick ? "a quick look with a wider band: " : ""}${variants} variants at each of ${points.length} positions`;
    return ["The engine from here: what it would end the year with, with its 95% band",
      ` (${yuan(points[0].value)} from day 0; ${depth}). ${kept}`,
      Object.entries({ "?!": "inaccuracy", "?": "mistake", "??": "blunder" }).map(([mark, verdict]) => [el("b", { class: `verdict ${verdict}` }, mark), ` ${verdict} `])];
  }

  week(day) {
    const { weeks, marks, strategy } = this.year;
    const within = (each) => each.first_day <= day && day <= each.last_day;
    const mark = marks.find(within);
    const week = weeks.find(within) ?? weeks.at(-1);
    if (!week) return [el("h2", {}, "Review"), el("p", { class: "muted" }, "The year has no two positions to compare yet.")];
    const { first_day: first, last_day: last } = mark ?? week;
    const steps = [["‹ marked week", -1], ["marked week ›", 1]].map(([text, by]) => el("button", { type: "button", "aria-label": by > 0 ? "Next marked week" : "Marked week before", onclick: () => this.step(by, first, -1) }, text));
    return [el("h2", {}, `Review of ${first === last ? `day ${first}` : `days ${first} to ${last}`}`, mark ? [" ", el("b", { class: `verdict ${mark.verdict}` }, `${mark.mark} ${mark.verdict}`)] : null),
      mark ? el("p", {}, `${yuan(mark.cost)} more than this player usually loses: ${mark.certainty}.${mark.until > last ? ` It stayed unusual until day ${mark.until}.` : ""}`) : null,
      mark ? table(["lost on these days, beyond the usual", "yuan"], mark.causes.map((cause) => [cause.title, yuan(cause.yuan)]), "The account has nothing for these days.") : null,
      el("p", { class: mark ? "muted" : "" }, told(week, !mark)),
      el("div", { class: "play-row" }, steps, el("button", { type: "button", class: "primary", onclick: () => this.play(first) }, "What the engine did instead")),
      strategy.length ? [el("h3", {}, "The strategy of the whole year"), table(["what the engine loses when it does the same", "yuan", "± 95%", "this player had"], strategy.map((part) => [part.title, yuan(part.loss), yuan(part.band), part.had]), "")] : null];
  }

  wayToOne() {
    const { command, under_way: busy, output: heard } = this.state;
    if (busy) return [el("p", { role: "status" }, `A quick review is being made. ${heard}`)];
    return [el("p", {}, "Nobody has reviewed this year as it stands. A review says what each week was worth and which ones lost: ", el("code", {}, command)),
      heard ? el("p", { class: "bad" }, heard) : null,
      el("button", { type: "button", onclick: () => this.make() }, "Review (quick)")];
  }
}

function told(week, alone) {
  const days = `${week.loss < 0 ? "gained" : "lost"} ${yuan(Math.abs(week.loss))} ± ${yuan(week.band)} of the engine's value (95%)`;
  const usual = `; this player usually loses ${yuan(week.usual)} in such days`;
  const recovered = week.recovered_on == null ? "" : ` It was made good by day ${week.recovered_on}, so it has no mark.`;
  const chance = alone && week.loss > week.usual && !recovered ? " No mark: chance or habit explains it, or it is less than 5% of the value." : "";
  return `Days ${week.first_day} to ${week.last_day} ${days}${usual}.${recovered}${chance}`;
}
