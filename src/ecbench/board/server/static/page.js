// What all pages need: asking the server, and putting text into the page as text.

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
  if (!response.ok) throw new Error(told.error || `the server answered ${response.status}`);
  return told;
}

// An element with attributes and children; strings become text, never markup.
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  fill(made, attributes, children);
  return made;
}

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(made, attributes, children);
  return made;
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
}

export function put(place, ...children) {
  place.replaceChildren(...children.flat(Infinity).filter((child) => child != null && child !== false));
}

export function yuan(amount, digits = 0) {
  if (amount == null) return "–";
  const shown = Math.abs(amount).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${amount < 0 ? "-" : ""}¥${shown}`;
}

// A model without its provider, a merchant's file without its folders, a merchant's module without its packages.
export function agentName(agent) {
  const name = agent.split("/").at(-1);
  return name.includes(".py:") ? name : name.replace(/^[\w.]+\.(?=\w+:\w+$)/, "");
}

export function table(heads, rows, empty) {
  if (!rows.length) return el("p", { class: "muted" }, empty);
  const numeric = (value) => typeof value === "number" || (typeof value === "string" && /^[-–]?[¥\d]/.test(value));
  const cell = (value) => el("td", numeric(value) ? { class: "num" } : {}, value instanceof Node ? value : String(value ?? ""));
  const head = el("tr", {}, heads.map((name, place) => el("th", { scope: "col", class: numeric(rows[0][place]) ? "num" : null }, name)));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table of ${heads.filter(Boolean).join(", ")}` }, el("table", {}, el("thead", {}, head), el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell))))));
}

export function say(text, bad = false) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.className = bad ? "bad" : "";
}

export async function trying(work) {
  try {
    return await work();
  } catch (problem) {
    say(problem.message, true);
    return null;
  }
}
