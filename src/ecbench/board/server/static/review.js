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
    return this.year?.weeks.filter((week) => week.mark) ?? [];
  }

  // For the chart: a sign for each marked week.
  get signs() {
    return this.marked.map((week) => ({ week, day: week.first_day, last: week.last_day, sign: week.mark, kind: week.verdict, text: `${week.verdict}, days ${week.first_day} to ${week.last_day}, ${lost(week)}` }));
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
    if (!next) return say(this.marked.length ? `No marked ${this.year.span} ${by > 0 ? "after" : "before"} day ${now}.` : `No ${this.year.span} of this year is marked.`);
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
    const { points, accuracy, variants, quick, span } = this.year;
    const kept = accuracy == null ? "" : `A ${span} kept ${percent(accuracy)} of its value on average. `;
    const depth = `${quick ? "a quick look with a wider band: " : ""}${variants} variants at each of ${points.length} positions`;
    return ["The engine from here: what it would end the year with, with its 95% band",
      ` (${yuan(points[0].value)} from day 0; ${depth}). ${kept}`,
      Object.entries({ "?!": "inaccuracy", "?": "mistake", "??": "blunder" }).map(([mark, verdict]) => [el("b", { class: `verdict ${verdict}` }, mark), ` ${verdict} `])];
  }

  week(day) {
    const weeks = this.year.weeks;
    const week = weeks.find((each) => each.first_day <= day && day <= each.last_day) ?? weeks.at(-1);
    const steps = [[`‹ marked ${this.year.span}`, -1], [`marked ${this.year.span} ›`, 1]].map(([text, by]) => el("button", { type: "button", "aria-label": by > 0 ? `Next marked ${this.year.span}` : `Marked ${this.year.span} before`, onclick: () => this.step(by, week?.first_day ?? day, -1) }, text));
    if (!week) return [el("h2", {}, "Review"), el("p", { class: "muted" }, "The year has no two positions to compare yet.")];
    const days = week.first_day === week.last_day ? `day ${week.first_day}` : `days ${week.first_day} to ${week.last_day}`;
    return [el("h2", {}, `Review of ${days}`, week.mark ? [" ", el("b", { class: `verdict ${week.verdict}` }, `${week.mark} ${week.verdict}`)] : null),
      el("p", {}, told(week)),
      week.mark ? table(["the bill of these days, what stands out first", "yuan"], week.causes.map((cause) => [cause.title, yuan(cause.yuan)]), "The bill has nothing for these days.") : null,
      el("div", { class: "play-row" }, steps, el("button", { type: "button", class: "primary", onclick: () => this.play(week.first_day) }, "What the engine did instead"))];
  }

  wayToOne() {
    const { command, under_way: busy, output: heard } = this.state;
    if (busy) return [el("p", { role: "status" }, `A quick review is being made. ${heard}`)];
    return [el("p", {}, "Nobody has reviewed this year as it stands. A review says what each week was worth and which ones lost: ", el("code", {}, command)),
      heard ? el("p", { class: "bad" }, heard) : null,
      el("button", { type: "button", onclick: () => this.make() }, "Review (quick)")];
  }
}

function lost(week) {
  return `${week.loss < 0 ? "gained" : "lost"} ${yuan(Math.abs(week.loss))} ± ${yuan(week.band)}`;
}

function told(week) {
  const share = week.start > 0 ? `, ${percent(Math.abs(week.share))} of the ${yuan(week.start)} that the engine would have made from its start` : "";
  const chance = !week.mark && week.loss > 0 ? " No mark: it is within the band, or less than 5% of the value." : "";
  const said = lost(week);
  return `${said[0].toUpperCase()}${said.slice(1)}${share}.${chance}`;
}
