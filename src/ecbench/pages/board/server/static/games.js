// The games that a person can start, as cards.

import { el, put, send, trying, yuan } from "./page.js";

export function showGames(place, { games, attempts, rules, runs }) {
  put(place, games.map((game) => card(game, attempts, rules, runs)));
}

function card(game, attempts, rules, runs) {
  const challenge = game.name === "challenge";
  const under = challenge ? attempts.find((each) => each.final_assets == null)?.id : runs.find((run) => run.transport === "board" && run.ending == null && run.days === game.days && !run.fork)?.id;
  const choice = game.rules ? null : rulesChoice(rules, `Rules of ${game.title}`);
  const start = challenge && attempts.length ? "Practise: this attempt does not count" : under ? "Start a new one" : `Play ${game.days} days`;
  return el("form", { class: "panel game", onsubmit: (event) => begin(event, game) },
    el("h2", {}, game.title), el("p", {}, game.about), challenge && attempts.length ? el("p", {}, told(attempts)) : null, choice,
    el("div", { class: "start" }, under ? el("a", { class: "button", href: `/runs/${under}/0/today` }, "Play on") : null, el("button", {}, start)));
}

// A choice of rules with a sentence about the chosen ones.
export function rulesChoice(rules, label) {
  const about = el("p", { class: "muted", "aria-live": "polite" }, rules[0].about);
  const choose = (event) => { about.textContent = rules.find((each) => each.name === event.target.value).about; };
  return el("div", {}, el("select", { name: "rules", "aria-label": label, onchange: choose }, rules.map((each) => el("option", { value: each.name }, `Rules: ${each.name}`))), about);
}

function told(tried) {
  const [first] = tried;
  return first.final_assets == null ? "Your attempt that counts is under way." : `Your attempt that counts ended with ${yuan(first.final_assets)}.`;
}

function begin(event, game) {
  event.preventDefault();
  const terms = game.rules ? { game: game.name } : { world: "default", days: game.days, rules: new FormData(event.target).get("rules") };
  return trying(async () => {
    const made = await send("/api/play", terms);
    location.href = `/runs/${made.id}/${made.episode}/today`;
  });
}
