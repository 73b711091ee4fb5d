// The year that the page shows: what the server has sent of it, the turn that is looked at, and how it is played on;
// and the hooks by which components are drawn from it.

import { useEffect, useReducer, useRef, useState } from "../../../../components/static/preact.js";
import { ask, send } from "../page.js";

const SHOWN = { "X-Ecbench-Truth": "shown" };
const SLOW_MS = 800; // after which the page says that it waits
const KNOWN = "learned"; // the view of what the agent knows
const KINDS = ["store_type", "category", "product", "supplier", "quote", "answer"];

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
    this.recorded = 0; // turns that the server has reported, and how the year has ended
    this.ended = null;
    this.following = false; // whether the page stays at the end of a year that is being played
    this.truth = false; // whether hidden truth is shown
    this.hiddenMarks = []; // failure modes that only hidden truth reveals
    this.raced = ""; // the years beside this one, as the address names them
    this.par = []; // the merchants' games on the same terms, once the result is shown
    this.asked = ""; // the position of the day that is played, as the address names it
    this.views = new Map(); // by name: what the server shows to the components that are drawn now, and at which turn
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

  // What the agent's calls have shown it, while a component shows that.
  get known() {
    return this.views.get(KNOWN)?.found ?? nothingKnown();
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

  // A request beside the others; an error becomes the message of the page.
  async quietly(work) {
    try {
      return await work();
    } catch (problem) {
      this.say(problem.message, true);
      return null;
    }
  }

  // A request that is waited for: nothing else can be done meanwhile.
  async attempt(work) {
    this.busy += 1;
    this.changed();
    const timer = setTimeout(() => { this.slow = true; this.changed(); }, SLOW_MS);
    const done = await this.quietly(work);
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
      this.asked = address.get("position") ?? "";
      const [turn, day] = ["turn", "day"].map((name) => (address.has(name) ? Number(address.get(name)) : null));
      this.following = this.year.timeline.ending == null && (this.year.playable || (turn == null && day == null));
      await this.look(this.following ? this.year.turns : turn ?? (day == null ? this.year.turns
        : this.lastTurnOf(day)));
      this.listen();
    });
  }

  async go(turn) {
    this.following = this.year.playable && turn >= this.year.turns; // a player who is back at the end plays on
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
    return this.go(this.aim + by);
  }

  async follow() {
    this.following = true;
    await this.attempt(() => this.look(this.year.turns));
    this.note();
  }

  lastTurnOf(day) {
    const { turns } = this.year.timeline;
    this.shownDay = Math.max(0, Math.min(turns.length - 1, day));
    return this.shownDay >= turns.length - 1 ? this.year.turns : turns[this.shownDay];
  }

  // The address names what is looked at, so that it can be kept and sent to others.
  note() {
    const place = new URLSearchParams(this.position && !this.following ? { day: this.day, turn: this.turn } : {});
    if (this.raced) place.set("race", this.raced);
    if (this.asked) place.set("position", this.asked);
    const query = place.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
    history.replaceState(null, "", query ? `?${query}` : location.pathname);
  }

  // Shows a turn of the year, or of the year as `refreshed` brings it: all of it changes at once.
  async look(turn, refreshed = null) {
    if (this.year.withheld) return;
    const wanted = ++this.wanted;
    this.aim = refreshed ? turn : Math.max(0, Math.min(this.year.turns, turn));
    const views = [...this.views].map(async ([name, view]) =>
      [view, await this.viewAt(this.aim, name).catch(() => null)]);
    const asked = ask(`${this.path}/turns/${this.aim}`);
    const [position, year, ...viewed] = await Promise.all([asked, refreshed, ...views]);
    if (year) this.year = year;
    if (wanted !== this.wanted) return; // another turn was asked for meanwhile
    this.position = position;
    for (const [view, shown] of viewed) Object.assign(view, { turn: position.turn, found: shown });
  }

  // Of what the agent knows only the changes are asked for, beyond those that are here.
  async viewAt(turn, name) {
    if (name !== KNOWN) return ask(`${this.path}/turns/${turn}/${name}`);
    const since = this.changes.turn;
    const found = turn > since ? await ask(`${this.path}/turns/${turn}/${KNOWN}/${since}`) : [];
    const { turn: known, list } = this.changes; // another request may have brought some of them meanwhile
    if (turn > known) this.changes = { turn, list: [...list, ...found.filter(([, , , at]) => at > known)] };
    return knownBy(turn, this.changes.list);
  }

  // While a component shows a view, every turn that is looked at brings it. Returns what ends that.
  keepView(name) {
    const view = this.views.get(name) ?? { users: 0, turn: null, found: null };
    this.views.set(name, view);
    view.users += 1;
    return () => {
      view.users -= 1;
      if (!view.users) this.views.delete(name);
    };
  }

  // A view of which the component has just appeared.
  async askView(view, name) {
    const { turn } = this;
    const found = await this.viewAt(turn, name);
    if (turn === this.turn) Object.assign(view, { turn, found });
  }

  // The page is told of turns that another window or an agent makes. A hidden page keeps no connection.
  listen() {
    let source = null;
    const open = () => {
      source?.close();
      if (document.hidden || this.year.withheld || this.year.timeline.ending != null) return;
      source = new EventSource(`${this.path}/live`);
      source.onmessage = (message) => {
        const { turns, ending } = JSON.parse(message.data);
        if (ending) source.close();
        this.recorded = turns;
        this.ended = ending;
        this.catchUp();
      };
    };
    document.addEventListener("visibilitychange", open);
    open();
  }

  // Turns of this page are shown by its own requests, which are waited for.
  catchUp() {
    if (this.busy || !this.year || (this.recorded <= this.year.turns
      && (!this.ended || this.year.timeline.ending != null))) return;
    this.recorded = 0; // where this fails, the next message brings it
    this.ended = null;
    this.attempt(() => this.refresh(this.following));
  }

  // Hidden truth is asked for only while it is shown.
  setTruth(on) {
    if (!this.year.hidden_truth) return null;
    this.truth = on;
    this.hiddenMarks = [];
    return this.attempt(async () => { this.hiddenMarks = on ? await this.askTruth("truth/marks") : []; });
  }

  askTruth(address) {
    return ask(`${this.path}/${address}`, SHOWN);
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
    const names = { product: { product_id: key }, quote: { supplier: first, sku: second } }[kind];
    known[kind].set(key, { ...known[kind].get(key), ...names, ...row, seen: day });
  }
  return known;
}

// Renders the component again whenever the store has changed.
export function useStore(store) {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => store.subscribe(draw), [store]);
}

// What the server shows under a name at the turn that is looked at; null until it is here. The store asks for it with
// every further turn, so that nothing on the screen is of an earlier turn than the rest.
export function useView(store, name) {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => store.keepView(name), [store, name]);
  useEffect(() => {
    const view = store.views.get(name);
    if (view.turn !== store.turn) store.quietly(() => store.askView(view, name)).then(draw);
  }, [store, name, store.turn]);
  return store.views.get(name)?.found ?? null;
}

// What the agent's calls have shown it by the turn that is looked at; null until it is here.
export function useKnown(store) {
  return useView(store, KNOWN);
}

// The answer to a request that depends on `address`: null before it, { problem } after an error.
export function useAnswer(address, request) {
  const [found, show] = useState(null);
  useEffect(() => {
    let wanted = true;
    show(null);
    if (address) request(address).then((answer) => wanted && show(answer), (problem) => wanted
      && show({ problem: problem.message }));
    return () => { wanted = false; };
  }, [address]);
  return found;
}

// Hidden truth at the turn that is looked at, or null: it is asked for only while it is shown.
export function useTruth(store, name) {
  const found = useAnswer(store.truth ? `turns/${store.turn}/truth/${name}` : null, (path) => store.askTruth(path));
  return found?.problem ? null : found;
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
