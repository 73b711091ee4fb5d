// The shelf: all years of the folder, new ones from here.

import { ask, el, endingWords, put, say, send, svg, trying, yuan } from "./page.js";

import { rulesChoice, showGames } from "./games.js";

const REFRESH_MS = 2000;
let runs = [];

function spark(curve) {
  if (curve.length < 2) return "";
  const low = Math.min(0, ...curve);
  const high = Math.max(...curve, low + 1);
  const points = curve.map((value, place) => `${(place / (curve.length - 1)) * 100},${30 - ((value - low) / (high - low)) * 28}`);
  return svg("svg", { class: "spark", viewBox: "0 0 100 32", preserveAspectRatio: "none", role: "img", "aria-label": "assets over the year" }, svg("path", { d: `M${points.join("L")}` }));
}

function row(run) {
  const ended = run.withheld ? "hidden during play" : run.ending ? endingWords(run.ending) : run.turns ? "not finished" : "not begun";
  const why = run.withheld ? { title: "A person plays on this world. Until that game is over, other games on it show their money up to its day, and nothing else." } : {};
  const ending = run.live ? el("span", { class: "tag live" }, "being played") : el("span", { class: "tag", ...why }, ended);
  const name = run.agent + (run.episodes > 1 ? ` #${run.episode}` : "");
  const assets = run.final_assets ?? run.curve.at(-1);
  return el("tr", {},
    el("td", {}, el("a", { href: `/runs/${run.id}/${run.episode}` }, name), run.fork ? el("div", { class: "muted" }, run.fork) : null),
    el("td", {}, run.world, el("div", { class: "muted" }, `${run.rules} rules`)),
    el("td", { class: "num" }, `${run.day} of ${run.days}`),
    el("td", {}, ending),
    el("td", { class: "num" }, yuan(assets)),
    el("td", {}, spark(run.curve)),
    el("td", { class: "muted" }, run.folder));
}

function show() {
  const wanted = document.getElementById("find").value.toLowerCase();
  const order = document.getElementById("order").value;
  const found = runs.filter((run) => `${run.agent} ${run.world} ${run.ending} ${run.folder}`.toLowerCase().includes(wanted));
  const by = {
    created: (a, b) => b.created - a.created || a.episode - b.episode,
    final_assets: (a, b) => (b.final_assets ?? -Infinity) - (a.final_assets ?? -Infinity),
    agent: (a, b) => a.agent.localeCompare(b.agent),
  }[order];
  put(document.getElementById("runs"), forksBelow(found.sort(by)).map(row));
}

// Each fork behind the year it was taken from, where that is shown.
function forksBelow(ordered) {
  const key = (run) => `${run.id}/${run.episode}`;
  const forks = new Map(ordered.map((run) => [key(run), []]));
  for (const run of ordered) forks.get(run.parent)?.push(run);
  const placed = new Set();
  const place = (run) => {
    if (placed.has(run)) return [];
    placed.add(run);
    return [run, ...forks.get(key(run)).flatMap(place)];
  };
  return [...ordered.filter((run) => !forks.has(run.parent)), ...ordered].flatMap(place);
}

async function refresh() {
  const shelf = await ask("/api/shelf");
  runs = shelf.runs;
  const agents = [...shelf.merchants.map((merchant) => merchant.name), ...shelf.providers.map((name) => `${name}/MODEL`)];
  const list = document.getElementById("agents");
  const games = document.getElementById("games");
  const state = JSON.stringify([shelf.attempts, runs.map((run) => [run.id, run.ending])]);
  if (games.dataset.state !== state && !games.contains(document.activeElement)) { // a choice that is being made stays
    showGames(games, shelf);
    games.dataset.state = state;
  }
  const rules = document.getElementById("rules");
  if (!rules.children.length) put(rules, rulesChoice(shelf.rules, "Rules"));
  if (!list.children.length) put(list, agents.map((name) => el("option", { value: name })));
  document.getElementById("recorded").hidden = !runs.length;
  show();
}

function values(form) {
  const given = Object.fromEntries(new FormData(form));
  return { ...given, days: Number(given.days) };
}

for (const [id, path] of [["play", "/api/play"], ["start", "/api/runs"]]) {
  document.getElementById(id).addEventListener("submit", (event) => {
    event.preventDefault();
    trying(async () => {
      const made = await send(path, values(event.target));
      if (id === "play") location.href = `/runs/${made.id}/0/today`;
      else {
        say("The agent is playing. Its year is in the list below.");
        await refresh();
      }
    });
  });
}
document.getElementById("find").addEventListener("input", show);
document.getElementById("order").addEventListener("change", show);
await trying(refresh);
setInterval(() => !document.hidden && trying(refresh), REFRESH_MS);
