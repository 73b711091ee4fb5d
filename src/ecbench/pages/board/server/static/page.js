// What all pages need: asking the server, and putting text into the page as text.

import { enhance } from "../components/data_table.js";
import { el } from "../components/dom.js";

export { el, put, svg, yuan } from "../components/dom.js";

const MARK = document.querySelector("meta[name=ecbench-mark]").content;

export async function ask(path, headers = {}) {
  return answer(await fetch(path, { headers }));
}

export async function send(path, body) {
  const headers = { "Content-Type": "application/json", "X-Ecbench-Mark": MARK };
  return answer(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function answer(response) {
  const told = await response.json();
  if (!response.ok) throw Object.assign(new Error(told.error || `the server answered ${response.status}`), { status: response.status });
  return told;
}

// A model without its provider, a merchant's file without its folders, a merchant's module without its packages.
export function agentName(agent) {
  const name = agent.split("/").at(-1);
  return name.includes(".py:") ? name : name.replace(/^[\w.]+\.(?=\w+:\w+$)/, "");
}

const ENDINGS = { year_end: "played to the end", bankruptcy: "bankrupt", turn_limit: "stopped at the limit of turns", idle: "ended early", failed: "stopped by an error" };

export function endingWords(ending) {
  return ENDINGS[ending] ?? ending.replaceAll("_", " ");
}

// A table that can be sorted and filtered; `name` is for one of several with the same heads.
export function table(heads, rows, empty, name = heads.join()) {
  if (!rows.length) return el("p", { class: "muted" }, empty);
  const numeric = (value) => typeof value === "number" || (typeof value === "string" && /^[-–]?[¥\d]/.test(value));
  const cell = (value) => el("td", numeric(value) ? { class: "num" } : {}, value instanceof Node ? value : String(value ?? ""));
  const head = el("tr", {}, heads.map((name, place) => el("th", { scope: "col", class: numeric(rows[0][place]) ? "num" : null }, name)));
  const made = el("table", {}, el("thead", {}, head), el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell)))));
  const box = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table of ${heads.filter(Boolean).join(", ")}` }, made);
  const whole = el("div", {}, box);
  enhance(made, { name });
  return whole;
}

let saying = (text, bad) => {
  const status = document.getElementById("status");
  status.textContent = text;
  status.className = bad ? "bad" : "";
};

// Shows a message to the reader of the page; a page that draws its own line for messages sets how.
export function say(text, bad = false) {
  saying(text, bad);
}

export function sayWith(work) {
  saying = work;
}

export async function trying(work) {
  try {
    return await work();
  } catch (problem) {
    say(problem.message, true);
    return null;
  }
}
