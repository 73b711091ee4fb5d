// The year that the page shows: what the server has sent of it, the turn that is looked at, and how it is played on.

import { meet } from "../../components/letter.js";
import { ask, send } from "../page.js";
import { outcomeSentence } from "./outcome_sentences.js";
import { carryOut } from "./standing_orders.js";

const SHOWN = { "X-Ecbench-Truth": "shown" };
const KINDS = ["trade", "category", "product", "supplier", "quote", "answer"];

export class YearStore {
  constructor(run, episode) {
    this.run = run;
    this.episode = episode;
    this.path = `/api/runs/${run}/${episode}`;
    this.year = null; // the answer to `path`: timeline, terms, and what may be done
    this.position = null; // at the turn that is looked at
    this.known = nothingKnown(); // what the agent's calls have shown it by then
    this.busy = 0; // requests that change something, or are waited for
    this.message = null; // what the last action did: text, and whether it failed
    this.answers = []; // the calls of the last action with their replies
    this.wanted = 0;
    this.following = false; // whether the page stays at the end of a year that is being played
    this.truth = false; // whether hidden truth is shown
    this.hiddenMarks = []; // failure modes that only hidden truth reveals
    this.raced = ""; // the years beside this one, as the address names them
    this.listeners = new Set();
  }

  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  get terms() {
    return this.year.terms;
  }

  get turn() {
    return this.position?.turn ?? 0;
  }

  // Of a withheld year there is no position, only the day on the chart.
  get day() {
    return this.position?.day ?? this.shownDay ?? 0;
  }

  // Whether the page may act: the year is the visitor's own, goes on, and its last turn is looked at.
  get playing() {
    return this.year.playable && this.position?.ending == null && this.turn === this.year.turns;
  }

  say(text, bad = false) {
    this.message = text ? { text, bad } : null;
    this.changed();
  }

  // Runs a request; an error becomes the message of the page.
  async attempt(work) {
    this.busy += 1;
    this.changed();
    try {
      return await work();
    } catch (problem) {
      this.message = { text: problem.message, bad: true };
      return null;
    } finally {
      this.busy -= 1;
      this.changed();
    }
  }

  // Opens the year at the turn or day of the address, or at its end.
  open(address = new URLSearchParams()) {
    return this.attempt(async () => {
      this.year = await ask(this.path);
      const [turn, day] = ["turn", "day"].map((name) => (address.has(name) ? Number(address.get(name)) : null));
      this.following = turn == null && day == null && this.year.timeline.ending == null;
      await this.look(turn ?? (day == null ? this.year.turns : this.lastTurnOf(day)));
      if (this.year.timeline.ending == null && !this.year.playable && !this.year.withheld) this.listen();
    });
  }

  async go(turn) {
    this.following = false;
    await this.attempt(() => this.look(turn));
    this.note();
  }

  goToDay(day) {
    return this.go(this.lastTurnOf(day));
  }

  // The day before is the beginning of this one where turns of it have been looked at.
  stepDay(by) {
    const begun = by < 0 && this.turn > (this.year.timeline.turns[this.day] ?? 0);
    return this.goToDay(begun ? this.day : this.day + by);
  }

  stepTurn(by) {
    return this.go(this.turn + by);
  }

  follow() {
    this.following = true;
    return this.attempt(() => this.look(this.year.turns));
  }

  lastTurnOf(day) {
    const { turns } = this.year.timeline;
    this.shownDay = Math.max(0, Math.min(turns.length - 1, day));
    return this.shownDay >= turns.length - 1 ? this.year.turns : turns[this.shownDay];
  }

  // The address names what is looked at, so that it can be kept and sent to others.
  note() {
    const place = new URLSearchParams({ day: this.day, turn: this.turn });
    if (this.raced) place.set("race", this.raced);
    history.replaceState(null, "", `?${place.toString().replaceAll("%3A", ":").replaceAll("%2C", ",")}`);
  }

  async look(turn) {
    if (this.year.withheld) return;
    const wanted = ++this.wanted;
    const place = Math.max(0, Math.min(this.year.turns, turn));
    const [position, known] = await Promise.all([ask(`${this.path}/turns/${place}`), this.learn(place)]);
    if (wanted !== this.wanted) return; // another turn was asked for meanwhile
    this.position = position;
    this.known = known;
    meet([...position.stock, ...position.coming, ...position.stores.flatMap((store) => store.shelf)]);
  }

  // A year that somebody else plays grows while it is watched.
  listen() {
    const source = new EventSource(`${this.path}/live`);
    source.onmessage = (message) => {
      const { turns, ending } = JSON.parse(message.data);
      if (ending) source.close();
      if (turns !== this.year.turns || ending) this.attempt(() => this.refresh(this.following));
    };
    source.onerror = () => source.close();
  }

  // Hidden truth is asked for only while it is shown.
  setTruth(on) {
    if (!this.year.hidden_truth) return null;
    this.truth = on;
    return this.attempt(async () => { this.hiddenMarks = on ? await this.askTruth("truth/marks") : []; });
  }

  askTruth(address) {
    return ask(`${this.path}/${address}`, SHOWN);
  }

  // What the calls up to a turn have shown; only what is new is asked for.
  async learn(turn) {
    const since = this.known.turn <= turn ? this.known.turn : 0;
    const known = since ? this.known : nothingKnown();
    const found = turn > since ? await ask(`${this.path}/turns/${turn}/learned/${since}`) : [];
    for (const { kind, key, row, day } of found) known[kind].set(key, { ...known[kind].get(key), ...row, seen: day });
    meet(found.filter(({ kind }) => kind === "product").map(({ key, row }) => ({ sku: key, title: row.title })));
    return { ...known, turn };
  }

  // Calls as one turn, with words that the record keeps. Returns the replies; null where the server refused them.
  act(calls, text = "") {
    if (this.busy) return Promise.resolve(null); // a second click would be a second order
    return this.attempt(async () => {
      const made = await send(`${this.path}/act`, { calls, text });
      const replies = made.replies.map((reply) => JSON.parse(reply));
      this.answers = calls.map((call, at) => ({ call, reply: made.replies[at], error: made.errors[at] }));
      this.message = { text: calls.map((call, at) => outcomeSentence(call, replies[at], made.errors[at])).filter(Boolean).join(" "), bad: made.errors.some(Boolean) };
      await this.refresh();
      return replies;
    });
  }

  // Ends the day; standing orders are carried out on the next morning.
  async closeDay() {
    const replies = await this.act([{ name: "wait_for_next_day", arguments: {} }]);
    if (replies && this.playing) await carryOut(this);
  }

  // After a turn: the year as it is recorded now.
  async refresh(atTheEnd = true) {
    this.year = await ask(this.path);
    if (atTheEnd) await this.look(this.year.turns);
  }
}

function nothingKnown() {
  return { turn: 0, ...Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) };
}
