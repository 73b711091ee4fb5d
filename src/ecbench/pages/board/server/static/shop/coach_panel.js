// The coach: the goal, the next sensible step and why, for the first days of a player's year.

import { html, useState } from "../../../../components/static/preact.js";
import { useBasket } from "./basket.js";
import { useKept, useView } from "./hooks.js";

const TRIES = 40; // frames in which the control of a step is looked for
const POINTED_MS = 4000;
const DRAWN_MS = 100; // in which the screen is drawn that has the control

export function CoachPanel({ store, goTo, screen }) {
  const [off, turnOff] = useKept(store, "coach off", false);
  const [why, showWhy] = useState(true);
  const advice = useView(store, "advice");
  const [basket] = useBasket(store);
  if (off || !advice) return null;
  const where = advice.screen === "goods" && basket.size ? "suppliers" : advice.screen;
  const lead = () => {
    if (where !== screen) goTo(where, true);
    setTimeout(() => point(advice.controls), DRAWN_MS);
  };
  return html`<aside class="coach" aria-label="Coach"><div><strong>Step ${advice.step} of ${advice.steps}
    : ${advice.title}</strong>${why ? html`<p>${advice.why}</p>` : null}</div>
    <div class="row"><button type="button" class="primary" onClick=${lead}>Show me where</button>
      <button type="button" aria-expanded=${why} onClick=${() => showWhy(!why)}>${why ? "Less" : "Why?"}</button>
      <button type="button" onClick=${() => turnOff(true)}>Turn the coach off</button></div></aside>`;
}

// Scrolls to the first control whose text begins with one of `controls`, and outlines it for a moment.
function point(controls, tries = TRIES) {
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("main button, main input, .top-bar button")]);
  const named = (text) => all.find((each) => (each.getAttribute("aria-label") ?? each.innerText).trim()
    .startsWith(text));
  const found = controls.map(named).find(Boolean);
  if (!found) {
    if (tries) requestAnimationFrame(() => point(controls, tries - 1));
    return;
  }
  found.scrollIntoView({ block: "center" });
  found.focus({ preventScroll: true });
  found.classList.add("pointed");
  setTimeout(() => found.classList.remove("pointed"), POINTED_MS);
}
