// The year that the page shows: what the server has sent of it, the turn that is looked at, and how it is played on;
// and the hooks by which components are drawn from it.

import { useEffect, useReducer, useRef, useState } from "../../../../components/static/kit.js";
import { ask, send } from "../page.js";

const SLOW_MS = 800; // after which the page says that it waits
const KNOWN = "learned"; // the view of what the agent knows
const KINDS = ["store_type", "category", "product", "supplier", "ask"];

export class YearStore {
  constructor(run, episode) {
    this.run = run;
    this.episode = episode;
    this.path = `/api/runs/${run}/${episode}`;
    this.year = null; // the answer to `path`: timeline, terms, and what may be done
    this.position = null; // at the turn that is looked at
    this.changes = { turn: 0, list: [] }; // of what the agent knows, up to the latest turn that was looked at
    this.busy = 0; // requests that change something, or are waited for
    this.slow = false; // whether a request has been waited for so long that the page says so
    this.message = null; // what the last action did: sentences, each with whether it failed
    this.wanted = 0;
    this.aim = 0; // the turn that was asked for last
    this.told = null; // what the server has reported: turns, and how the year has ended
    this.following = false; // whether the page stays at the end of a year that is being played
    this.truth = false; // whether hidden truth is shown
    this.par = []; // the merchants' games on the same terms, once the result is shown
    this.views = []; // the names of what the screen shows of a turn, as addresses below it
    this.shown = {}; // those at the turn that is looked at, by name
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

  // What the agent's calls have shown it by the turn that is looked at, while the screen shows that.
  get known() {
    return this.shown[KNOWN] ?? nothingKnown();
  }

  // Of a withheld year there is no position, only the day on the chart.
  get day() {
    return this.position?.day ?? this.shownDay ?? this.year.timeline.turns.length - 1;
  }

  // Whether the page may act: the year is the visitor's own, continues, and its last turn is looked at.
  get playing() {
    return this.year.playable && this.position?.ending == null && this.turn === this.year.turns;
  }

  // Whether a player looks at an earlier turn of the year that it plays: then nothing can be done.
  get lookingBack() {
    return this.year.playable && this.position != null && this.turn < this.year.turns;
  }

  say(text, bad = false) {
    this.message = text ? [{ text, bad }] : null;
    this.changed();
  }

  // A request that is waited for: nothing else can be done meanwhile. An error becomes the message of the page.
  async attempt(work) {
    this.busy += 1;
    this.changed();
    const timer = setTimeout(() => { this.slow = true; this.changed(); }, SLOW_MS);
    const done = await work().catch((problem) => {
      this.say(problem.message, true);
      return null;
    });
    clearTimeout(timer);
    this.busy -= 1;
    this.slow = false;
    this.changed();
    this.catchUp();
    return done;
  }

  // Opens the year at the turn or day of the address, or at its end.
  open(address = new URLSearchParams()) {
    return this.attempt(async () => {
      this.year = await ask(this.path);
      const [turn, day] = ["turn", "day"].map((name) => (address.has(name) ? Number(address.get(name)) : null));
      this.following = this.year.timeline.ending == null && (this.year.playable || (turn == null && day == null));
      await this.look(this.following ? this.year.turns : turn ?? (day == null ? this.year.turns
        : this.lastTurnOf(day)));
      this.listen();
    });
  }

  // A player who is back at the end plays on.
  async go(turn, following = this.year.playable && turn >= this.year.turns) {
    this.following = following;
    await this.attempt(() => this.look(turn));
    this.note();
  }

  follow() {
    return this.go(this.year.turns, true);
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
    return this.go(this.aim + by);
  }

  lastTurnOf(day) {
    const { turns } = this.year.timeline;
    this.shownDay = Math.max(0, Math.min(turns.length - 1, day));
    return this.shownDay >= turns.length - 1 ? this.year.turns : turns[this.shownDay];
  }

  // The address names what is looked at, so that it can be kept and sent to others.
  note() {
    const named = new URLSearchParams(this.position && !this.following ? { day: this.day, turn: this.turn } : {});
    history.replaceState(null, "", named.size ? `?${named}` : location.pathname);
  }

  // Shows a turn of the year, or of the year as `refreshed` brings it: all of it changes at once.
  async look(turn, refreshed = null) {
    if (this.year.withheld) return;
    const wanted = ++this.wanted;
    this.aim = refreshed ? turn : Math.max(0, Math.min(this.year.turns, turn));
    const [position, shown, year] = await Promise.all([ask(`${this.path}/turns/${this.aim}`),
      this.viewsAt(this.aim, this.views), refreshed]);
    if (year) this.year = year;
    if (wanted !== this.wanted) return; // another turn was asked for meanwhile
    this.position = position;
    this.shown = shown;
    this.show(this.views);
  }

  // The screen shows these views: those that are not here are asked for at the turn that is looked at.
  async show(names) {
    this.views = names;
    const missing = names.filter((name) => !(name in this.shown));
    const { wanted, turn } = this;
    if (!missing.length) return;
    const found = await this.viewsAt(turn, missing);
    if (wanted !== this.wanted) return; // the look at another turn brings them
    this.shown = { ...this.shown, ...found };
    this.changed();
  }

  async viewsAt(turn, names) {
    return Object.fromEntries(await Promise.all(names.map(async (name) =>
      [name, await this.viewAt(turn, name).catch(() => null)])));
  }

  // Of what the agent knows only the changes are asked for, beyond those that are here.
  async viewAt(turn, name) {
    if (name !== KNOWN) return this.askTruth(`turns/${turn}/${name}`);
    const since = this.changes.turn;
    const found = turn > since ? await ask(`${this.path}/turns/${turn}/${KNOWN}/${since}`) : [];
    const { turn: known, list } = this.changes; // another request may have brought some of them meanwhile
    if (turn > known) this.changes = { turn, list: [...list, ...found.filter(([, , , at]) => at > known)] };
    return knownBy(turn, this.changes.list);
  }

  // The page is told of turns that another window or an agent makes. A hidden page keeps no connection.
  listen() {
    let source = null;
    const open = () => {
      source?.close();
      if (document.hidden || this.year.withheld || this.year.timeline.ending != null) return;
      source = new EventSource(`${this.path}/live`);
      source.onmessage = (message) => {
        this.told = JSON.parse(message.data);
        if (this.told.ending) source.close();
        this.catchUp();
      };
    };
    document.addEventListener("visibilitychange", open);
    open();
  }

  // Turns of this page are shown by its own requests, which are waited for.
  catchUp() {
    const { turns = 0, ending = null } = this.told ?? {};
    if (this.busy || !this.year || (turns <= this.year.turns && (!ending || this.year.timeline.ending != null))) return;
    this.told = null; // where this fails, the next message brings it
    this.attempt(() => this.refresh(this.following));
  }

  // Hidden truth is asked for only while it is shown.
  setTruth(on) {
    this.truth = on && this.year.hidden_truth;
    this.changed();
  }

  // What is hidden is sent to those alone who ask for it by this header, while it is shown.
  askTruth(address) {
    const headers = address.includes("truth/") ? { "X-Ecbench-Truth": "shown" } : {};
    return ask(address.startsWith("/") ? address : `${this.path}/${address}`, headers);
  }

  // Calls as one turn, with words that the record keeps. Returns the replies; null where the server refused them.
  act(calls, text = "") {
    if (this.busy) return Promise.resolve(null); // a second click would be a second order
    return this.attempt(() => this.take(calls, text));
  }

  // A turn within an attempt; raises what the server refused. The server refuses a turn of a page that is behind.
  async take(calls, text = "") {
    try {
      const made = await send(`${this.path}/act`, { calls, text, after: this.year.turns });
      const told = made.sentences.map((text, at) => ({ text, bad: Boolean(made.errors[at]) }));
      this.message = [...told.filter((each) => each.bad), ...told.filter((each) => !each.bad)];
      await this.look(made.turns, ask(this.path));
      return made.replies.map((reply) => JSON.parse(reply));
    } catch (problem) {
      if (problem.status === 409) await this.refresh();
      throw problem;
    }
  }

  // Ends the day; `inTheMorning` carries out standing orders, before anything else can be done.
  closeDay(inTheMorning) {
    if (this.busy) return null;
    return this.attempt(async () => {
      await this.take([{ name: "wait_for_next_day", arguments: {} }]);
      if (this.playing) await inTheMorning(this);
      else if (this.position?.ending != null) this.say("The game is over: its result is on the screen Today.");
    });
  }

  // The year as it is recorded now. One that is withheld by then shows no position.
  async refresh(atTheEnd = true) {
    const year = await ask(this.path);
    if (atTheEnd && !year.withheld) return this.look(year.turns, year);
    this.year = year;
    if (year.withheld) this.position = null;
  }
}

function nothingKnown() {
  return Object.fromEntries(KINDS.map((kind) => [kind, new Map()]));
}

// What a list of changes adds up to by a turn: rows by kind and key.
function knownBy(turn, changes) {
  const known = nothingKnown();
  for (const [kind, key, row, at, day] of changes) {
    if (at > turn) break;
    const [first, second] = key.split(" ");
    const names = { product: { product_id: key }, ask: { supplier: first, sku: second } }[kind];
    known[kind].set(key, { ...known[kind].get(key), ...names, ...row, seen: day });
  }
  return known;
}

// Renders the component again whenever the store has changed.
export function useStore(store) {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => store.subscribe(draw), [store]);
}

// Hidden truth at an address, which may be null: null before the answer, { problem } after an error.
export function useTruth(store, address) {
  const [found, show] = useState(null);
  useEffect(() => {
    let wanted = true;
    const told = (answer) => wanted && show(answer);
    show(null);
    if (address) store.askTruth(address).then(told, (problem) => told({ problem: problem.message }));
    return () => { wanted = false; };
  }, [address]);
  return found;
}

// A value that outlives a reload of the page, for this year alone; all components see the same.
export function useKept(store, name, first) {
  return [kept(store, name) ?? first, (next) => keep(store, name, next)];
}

export function kept(store, name) {
  try {
    return JSON.parse(localStorage.getItem(`ecbench ${store.path} ${name}`));
  } catch {
    return null;
  }
}

export function keep(store, name, value) {
  localStorage.setItem(`ecbench ${store.path} ${name}`, JSON.stringify(value));
  store.changed();
}

// The goods that the player means to bargain for, as a Set of SKUs, and a function that replaces it.
/** @type {(store: any) => [Set<any>, (next: Iterable<any>) => void]} */
export function useBasket(store) {
  const [skus, keep] = useKept(store, "basket", []);
  return [new Set(skus), (next) => keep([...next])];
}

// Keys by name, each with what it does; none while one types or a dialog is open. `taken` says which others to leave.
export function useKeys(works, taken = (_event) => false) {
  const latest = useRef(null);
  latest.current = { works, taken };
  useEffect(() => {
    const press = (event) => {
      const work = latest.current.works[event.key];
      if (!work || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)
        || document.querySelector("dialog[open]") || latest.current.taken(event)) return;
      event.preventDefault();
      work(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

function isTyping(target) {
  return target.matches?.("textarea, select, input:not([type=checkbox]):not([type=range]):not([type=radio])") ?? false;
}
