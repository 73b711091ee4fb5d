// The coach: the goal, the next sensible step and why, for the first days of a player's year.

import { html } from "../../components/preact.js";
import { useBasket } from "./basket.js";
import { useKept, useView } from "./hooks.js";

export function CoachPanel({ store, goTo, screen }) {
  const [off, turnOff] = useKept(store, "coach off", false);
  const advice = useView(store, "advice");
  const [basket] = useBasket(store);
  if (off || !advice) return null;
  const where = advice.screen === "goods" && basket.size ? "suppliers" : advice.screen;
  return html`<aside class="coach" aria-label="Coach"><div><strong>Step ${advice.step} of ${advice.steps}: ${advice.title}</strong><p>${advice.why}</p></div>
    <div class="row">${where === screen ? null : html`<button type="button" class="primary" onClick=${() => goTo(where)}>Show me where</button>`}
      <button type="button" onClick=${() => turnOff(true)}>Turn the coach off</button></div></aside>`;
}
