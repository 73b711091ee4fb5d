// What all pages need: asking the server, and names as people read them.

const TOKEN = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=csrf-token]")).content;
const ENDINGS = { year_end: "played to the end", bankruptcy: "bankrupt", turn_limit: "stopped at the limit of turns",
  idle: "ended early", failed: "stopped by an error" };

export async function ask(path, headers = {}) {
  return answer(await fetch(path, { headers }));
}

export async function send(path, body) {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": TOKEN };
  return answer(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function answer(response) {
  const told = await response.json();
  if (response.ok) return told;
  throw Object.assign(new Error(told.error || `the server answered ${response.status}`), { status: response.status });
}

export function endingWords(ending) {
  return ENDINGS[ending] ?? ending.replaceAll("_", " ");
}
