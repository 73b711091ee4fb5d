// The year that the page shows: what the server has sent of it, the turn that is looked at, and how it is played on.

import { meet } from "../../components/letter.js";
import { ask, send } from "../page.js";
import { outcomeSentence } from "./outcome_sentences.js";

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
    return this.position.turn;
  }

  // Whether the page may act: the year is the visitor's own, goes on, and its last turn is looked at.
  get playing() {
    return this.year.playable && this.position.ending == null && this.turn === this.year.turns;
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

  open(turn = null) {
    return this.attempt(async () => {
      this.year = await ask(this.path);
      await this.look(turn ?? this.year.turns);
    });
  }

  go(turn) {
    return this.attempt(() => this.look(turn));
  }

  async look(turn) {
    const wanted = ++this.wanted;
    const place = Math.max(0, Math.min(this.year.turns, turn));
    const [position, known] = await Promise.all([ask(`${this.path}/turns/${place}`), this.learn(place)]);
    if (wanted !== this.wanted) return; // another turn was asked for meanwhile
    this.position = position;
    this.known = known;
    meet([...position.stock, ...position.coming, ...position.stores.flatMap((store) => store.shelf)]);
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

  // After a turn: the year as it is recorded now.
  async refresh() {
    this.year = await ask(this.path);
    await this.look(this.year.turns);
  }
}

function nothingKnown() {
  return { turn: 0, ...Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) };
}
