// The board of one year: a timeline, a position, keys, and an address for each.

import { ask, el, put, say, send, trying } from "./page.js";
import { Chats } from "./chat.js";
import { showPosition } from "./panels.js";
import { Player } from "./play.js";
import { dayAt, drawYear, moveCursor } from "./timeline.js";

const [, , run, episode] = location.pathname.split("/");
const path = `/api/runs/${run}/${episode}`;
const at = (id) => document.getElementById(id);
const state = { turn: 0, truth: false, following: false, rivals: [], wanted: 0 };
const chats = new Chats(at("suppliers"), path);
let year;
let total;
let player;
let rivals = [];

async function load() {
  const found = await ask(path);
  year = found.timeline;
  total = found.turns;
  rivals = found.rivals;
  at("title").textContent = `${year.agent.split("/").at(-1)} on ${year.world}`;
  document.title = `${at("title").textContent} - E-Commerce Bench`;
  at("ending").textContent = year.ending ? year.ending.replaceAll("_", " ") : "being played";
  at("ending").classList.toggle("live", !year.ending);
  at("follow").hidden = Boolean(year.ending);
  at("scrub").max = year.bank.length - 1;
  draw();
  if (found.playable && !player) player = new Player(at("play"), path, found.tools, async () => { await load(); await raceRivals(); await go(total); });
}

function draw() {
  drawYear(at("chart"), year, state.rivals, state.parted);
}

function dayOf(turn) {
  const day = year.turns.findIndex((count) => count >= turn);
  return day < 0 ? year.turns.length - 1 : day;
}

async function go(turn, { note = true } = {}) {
  const wanted = ++state.wanted;
  state.turn = Math.max(0, Math.min(total, turn));
  const position = await trying(() => ask(`${path}/turns/${state.turn}`));
  if (!position || wanted !== state.wanted) return;
  const truths = state.truth ? await storeTruths(position) : {};
  showPosition(position, truths);
  at("date").textContent = `${position.date}, day ${position.day} of ${year.days}`;
  at("clock").textContent = `${position.time}, ${position.minutes_left} minutes left`;
  at("turn").textContent = `turn ${position.turn.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  at("scrub").value = position.day;
  at("scrub").setAttribute("aria-valuetext", at("date").textContent);
  moveCursor(at("chart"), year, position.day);
  player?.show(position);
  if (note) remember(position.day);
  await chats.show(state.turn, state.truth);
}

async function storeTruths(position) {
  const open = position.stores.filter((store) => store.is_open);
  const found = await Promise.all(open.map((store) => trying(() => ask(`${path}/turns/${state.turn}/truth/stores/${encodeURIComponent(store.id)}`, { "X-Ecbench-Truth": "shown" }))));
  return Object.fromEntries(open.map((store, place) => [store.id, found[place]]));
}

function remember(day) {
  const place = new URLSearchParams({ day, turn: state.turn });
  if (chats.chosen) place.set("supplier", chats.chosen);
  history.replaceState(null, "", `?${place}`);
}

function goToDay(day) {
  state.following = false;
  const last = year.turns.length - 1;
  const wanted = Math.max(0, Math.min(last, day));
  return go(wanted >= last ? total : year.turns[wanted]);
}

function currentDay() {
  return Number(at("scrub").value);
}

function stepDay(by) {
  const now = currentDay();
  return goToDay(by < 0 && state.turn > (year.turns[now] ?? 0) ? now : now + by);
}

function stepTurn(by) {
  state.following = false;
  return go(state.turn + by);
}

function follow() {
  if (year.ending) return;
  state.following = true;
  go(total);
}

function listen() {
  const source = new EventSource(`${path}/live`);
  source.onmessage = async (message) => {
    const told = JSON.parse(message.data);
    if (told.ending) source.close();
    if (told.turns !== total || told.ending) {
      await trying(load);
      if (state.following) await go(total);
      else at("turn").textContent = `turn ${state.turn.toLocaleString("en")} of ${total.toLocaleString("en")}`;
    }
  };
  source.onerror = () => source.close();
}

async function branch() {
  const agent = at("heir").value;
  const made = await trying(() => send(`${path}/branch`, { agent, day: currentDay() }));
  if (made) location.href = `/runs/${made.id}/${made.episode}?race=${run}:${episode}`;
}

// In a market with rivals their lines grow with the player's days.
async function raceRivals() {
  if (!rivals.length || state.rivalDays === year.bank.length) return;
  state.rivals = [];
  await race();
}

async function race() {
  state.rivalDays = year.bank.length;
  const asked = new URLSearchParams(location.search).get("race");
  const wanted = asked || rivals.map((id) => `${id}:0`).join(",");
  if (!wanted) return;
  for (const rival of wanted.split(",").slice(0, 7)) {
    const [id, number] = rival.split(":");
    const found = await trying(() => ask(`/api/runs/${id}/${Number(number)}`));
    const parting = asked && (await trying(() => ask(`${path}/parting/${id}/${Number(number)}`)));
    if (parting?.day != null) state.parted = Math.min(parting.day, state.parted ?? Infinity);
    if (found) state.rivals.push(found.timeline.bank.map((bank, day) => Math.max(0, bank) + found.timeline.wallet[day] + found.timeline.escrow[day]));
  }
  draw();
}

function setTruth(on) {
  state.truth = on;
  at("truth").checked = on;
  document.body.classList.toggle("truth", on);
  go(state.turn);
}

const keys = {
  ArrowLeft: (event) => (event.shiftKey ? stepTurn(-1) : stepDay(-1)),
  ArrowRight: (event) => (event.shiftKey ? stepTurn(1) : stepDay(1)),
  Home: () => go(0),
  End: () => go(total),
  j: () => chats.step(1),
  k: () => chats.step(-1),
  h: () => setTruth(!state.truth),
  " ": follow,
  "?": () => at("keys").showModal(),
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=range]):not([type=checkbox]), textarea, select, button");
  const work = keys[event.key];
  if (typing || !work || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  work(event);
});
at("scrub").addEventListener("input", (event) => goToDay(Number(event.target.value)));
at("chart").addEventListener("click", (event) => goToDay(dayAt(at("chart"), year, event)));
at("day-back").addEventListener("click", () => stepDay(-1));
at("day-on").addEventListener("click", () => stepDay(1));
at("turn-back").addEventListener("click", () => stepTurn(-1));
at("turn-on").addEventListener("click", () => stepTurn(1));
at("follow").addEventListener("click", follow);
at("branch").addEventListener("click", branch);
at("truth").addEventListener("change", (event) => setTruth(event.target.checked));
at("help").addEventListener("click", () => at("keys").showModal());
chats.onChoose = () => remember(currentDay());

async function begin() {
  say("Opening the year…");
  await load();
  say("");
  const shelf = await ask("/api/shelf");
  put(at("heir"), ["person", ...shelf.merchants.map((merchant) => merchant.name)].map((name) => el("option", { value: name }, name === "person" ? "yourself" : name)));
  const given = new URLSearchParams(location.search);
  await race();
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
