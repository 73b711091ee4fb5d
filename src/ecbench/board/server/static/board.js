// The board of one year: a timeline, a position, keys, and an address for each.

import { YearChart } from "../components/year_chart.js";
import { agentName, ask, el, put, say, send, trying } from "./page.js";
import { Chats } from "./chat.js";
import { showPosition } from "./panels.js";
import { showEnding } from "./ending.js";
import { Player } from "./play.js";
import { Race } from "./race.js";
import { ReviewOfYear } from "./review.js";

const [, , run, episode] = location.pathname.split("/");
const path = `/api/runs/${run}/${episode}`;
const at = (id) => document.getElementById(id);
const state = { turn: 0, truth: false, following: false, wanted: 0, hiddenMarks: [] };
const chats = new Chats(at("suppliers"), path);
const race = new Race(at("race"), path, () => { draw(); remember(); });
const review = new ReviewOfYear({ panel: at("review"), legend: at("verdict-legend") }, path, {
  go: async (day) => { await goToDay(day); return state.turn; },
  play: (day) => branch("engine", day),
  changed: () => draw(),
});
const chart = new YearChart(at("chart"), { height: 170, chosen: (day) => goToDay(day), marked: ({ week }) => review.jump(week) });
const OPENING_MS = 150; // between two looks at how far a year is opened
let year;
let total;
let player;
let found;
let years = [];

async function load() {
  found = await ask(path);
  year = found.timeline;
  total = found.turns;
  at("title").textContent = `${agentName(year.agent)} on ${year.world}${found.fork ? `, ${found.fork}` : ""}`;
  document.title = `${at("title").textContent} - E-Commerce Bench`;
  at("ending").textContent = found.withheld ? "withheld" : year.ending ? year.ending.replaceAll("_", " ") : found.live ? "being played" : "not finished";
  at("ending").classList.toggle("live", found.live);
  document.body.classList.toggle("withheld", Boolean(found.withheld));
  at("follow").hidden = Boolean(year.ending || found.withheld) || found.playable;
  at("truth").disabled = !found.hidden_truth;
  at("show-review").hidden = at("truth").disabled || state.truth;
  at("scrub").max = year.days; // as wide as the chart, though a year that is being played ends earlier
  if (found.playable && !player) player = new Player(at("play"), path, moved);
  draw();
}

function moved() {
  return trying(async () => {
    const days = year.bank.length;
    await load();
    await race.part();
    if (year.bank.length !== days) await race.grow();
    await go(total);
  });
}

// What the year came to is shown where it ended.
async function atTheEnd() {
  at("end").hidden = !(found.over && state.turn === total);
  if (!at("end").hidden && !at("end").children.length) await showEnding(at("end"), path, run, found.own);
}

function marks() {
  return [...year.marks, ...(state.truth ? state.hiddenMarks.map((mark) => ({ ...mark, hidden: true })) : [])];
}

function dotOf({ day, mode, what, hidden }) {
  return { day, hidden, text: `${mode.replaceAll("_", " ")}: ${what}` };
}

function draw() {
  if (!year) return;
  const day = currentDay();
  review.render(day, state.turn);
  chart.show({ ...year, dots: [...marks().map(dotOf), ...race.partings], others: race.racers, value: review.year?.points, marks: review.signs });
  chart.pick(day);
  race.show(day, year.total, year.ending != null, years);
  listMarks(day);
}

// The failure modes around the chosen day, to be jumped to.
function listMarks(day) {
  const all = marks();
  const near = [...all].sort((a, b) => Math.abs(a.day - day) - Math.abs(b.day - day)).slice(0, 12).sort((a, b) => a.day - b.day);
  const hits = all.reduce((sum, mark) => sum + mark.hits, 0);
  const seen = found.hidden_truth && !state.truth ? " that the agent could see" : "";
  put(at("modes"), el("summary", {}, `Failure modes: ${hits.toLocaleString("en")} ${hits === 1 ? "hit" : "hits"}${seen}`),
    el("ul", {}, near.map((mark) => el("li", {}, el("button", { type: "button", onclick: () => (mark.turn ? go(mark.turn) : goToDay(mark.day)) }, `day ${mark.day}`), ` ${mark.mode.replaceAll("_", " ")}: ${mark.what}${more(mark)}`))));
  at("modes").hidden = !all.length;
}

function more(mark) {
  return mark.hits > 1 ? ` (and ${mark.hits - 1} more that day)` : "";
}

// Progress while a long year is replayed.
async function opening(work) {
  const bar = at("opening");
  bar.hidden = false;
  const timer = setInterval(async () => {
    const told = await ask(`${path}/opening`).catch(() => null);
    if (told?.whole) bar.value = told.done / told.whole;
  }, OPENING_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    bar.hidden = true;
  }
}

function dayOf(turn) {
  const day = year.turns.findIndex((count) => count >= turn);
  return day < 0 ? year.turns.length - 1 : day;
}

// A mark, a key or the slider may be used before the year is here: then there is nowhere to go yet.
async function go(turn, { note = true } = {}) {
  if (!found) return;
  const wanted = ++state.wanted;
  state.turn = Math.max(0, Math.min(total, turn));
  if (found.withheld) return showMoney();
  const position = await trying(() => ask(`${path}/turns/${state.turn}`));
  if (!position || wanted !== state.wanted) return;
  const truths = state.truth ? await storeTruths(position) : {};
  if (wanted !== state.wanted) return;
  showPosition(position, truths, !found.hidden_truth);
  at("date").textContent = `${position.date}, day ${position.day} of ${year.days}`;
  at("clock").textContent = `${position.time}, ${position.minutes_left} minutes left`;
  at("turn").textContent = `turn ${position.turn.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  at("scrub").value = position.day;
  at("scrub").setAttribute("aria-valuetext", at("date").textContent);
  draw();
  await atTheEnd();
  const now = Boolean(player) && state.turn === total && found.playable;
  player?.show(position, state.turn === total);
  chats.player = now ? player : null;
  if (note) remember();
  await chats.show(state.turn, state.truth);
}

// Of a year on a world that is being played there is the chart alone.
function showMoney() {
  say(found.withheld);
  at("scrub").value = dayOf(state.turn);
  at("date").textContent = `day ${currentDay()} of ${year.days}`;
  at("clock").textContent = at("turn").textContent = "";
  draw();
}

async function storeTruths(position) {
  const open = position.stores.filter((store) => store.is_open);
  const found = await Promise.all(open.map((store) => trying(() => ask(`${path}/turns/${position.turn}/truth/stores/${encodeURIComponent(store.id)}`, { "X-Ecbench-Truth": "shown" }))));
  return Object.fromEntries(open.map((store, place) => [store.id, found[place]]));
}

function remember() {
  const place = new URLSearchParams({ day: currentDay(), turn: state.turn });
  if (chats.chosen) place.set("supplier", chats.chosen);
  if (race.address) place.set("race", race.address);
  history.replaceState(null, "", `?${place.toString().replaceAll("%3A", ":").replaceAll("%2C", ",")}`);
}

function goToDay(day) {
  if (!found) return;
  state.following = false;
  const last = year.turns.length - 1;
  const wanted = Math.max(0, Math.min(last, day));
  return go(wanted >= last ? total : year.turns[wanted]);
}

function currentDay() {
  return Number(at("scrub").value);
}

function stepDay(by) {
  if (!found) return;
  const now = currentDay();
  return goToDay(by < 0 && state.turn > (year.turns[now] ?? 0) ? now : now + by);
}

function stepTurn(by) {
  state.following = false;
  return go(state.turn + by);
}

function follow() {
  if (!found || year.ending) return;
  state.following = true;
  go(total);
}

// A move from this page shows its own turns; drawn a second time, the desk would lose what was chosen on it meanwhile.
function listen() {
  const source = new EventSource(`${path}/live`);
  source.onmessage = async (message) => {
    const told = JSON.parse(message.data);
    if (told.ending) source.close();
    if ((told.turns !== total || told.ending) && !player?.busy) {
      await race.part();
      await trying(load);
      if (state.following) await go(total);
      else at("turn").textContent = `turn ${state.turn.toLocaleString("en")} of ${total.toLocaleString("en")}`;
    }
  };
  source.onerror = () => source.close();
}

// A branch plays on from its end; what the engine did is looked at from the day it took over.
async function branch(agent, day) {
  const made = await trying(() => send(`${path}/branch`, { agent, day }));
  if (made) location.href = `/runs/${made.id}/${made.episode}?race=${run}:${episode}${agent === "engine" ? `&day=${day}` : ""}`;
}

async function setTruth(on) {
  if (at("truth").disabled) return;
  state.truth = on;
  at("truth").checked = on;
  at("show-review").hidden = on;
  document.body.classList.toggle("truth", on);
  await review.show(on);
  if (on) state.hiddenMarks = (await trying(() => ask(`${path}/truth/marks`, { "X-Ecbench-Truth": "shown" }))) || [];
  await go(state.turn);
}

const keys = {
  ArrowLeft: (event) => (event.shiftKey ? stepTurn(-1) : stepDay(-1)),
  ArrowRight: (event) => (event.shiftKey ? stepTurn(1) : stepDay(1)),
  Home: () => go(0),
  End: () => go(total),
  j: () => chats.step(1),
  k: () => chats.step(-1),
  m: (event) => review.step(event.shiftKey ? -1 : 1, currentDay(), state.turn),
  h: () => setTruth(!state.truth),
  " ": follow,
  "?": () => at("keys").showModal(),
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=range]):not([type=checkbox]), textarea, select, button");
  const work = keys[event.key === "M" ? "m" : event.key];
  if (typing || !work || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  work(event);
});
at("scrub").addEventListener("input", (event) => goToDay(Number(event.target.value)));
at("day-back").addEventListener("click", () => stepDay(-1));
at("day-on").addEventListener("click", () => stepDay(1));
at("turn-back").addEventListener("click", () => stepTurn(-1));
at("turn-on").addEventListener("click", () => stepTurn(1));
at("follow").addEventListener("click", follow);
at("branch").addEventListener("click", () => branch(at("heir").value === "yourself" ? "person" : at("heir").value, currentDay()));
at("show-review").addEventListener("click", () => setTruth(true));
at("truth").addEventListener("change", (event) => setTruth(event.target.checked));
at("help").addEventListener("click", () => at("keys").showModal());
chats.onChoose = remember;

async function begin() {
  say("Opening the year…");
  await opening(load);
  say("");
  const shelf = await ask("/api/shelf");
  years = shelf.runs;
  const heirs = ["yourself", ...shelf.merchants.map((merchant) => merchant.name), ...shelf.providers.map((name) => `${name}/MODEL`)];
  put(at("heirs"), heirs.map((name) => el("option", { value: name })));
  const given = new URLSearchParams(location.search);
  await race.begin(given.get("race"), found.rivals);
  const turn = given.get("turn");
  const day = given.get("day");
  if (turn != null) await go(Number(turn));
  else if (day != null) await goToDay(Number(day));
  else await go(total);
  if (!year.ending) {
    state.following = turn == null && day == null;
    listen();
  }
}

await trying(begin);
