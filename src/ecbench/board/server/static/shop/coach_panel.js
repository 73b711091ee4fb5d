// The coach: the goal, the next sensible step and why, for the first days of a player's year.

import { html } from "../../components/preact.js";
import { useKept, useView } from "./hooks.js";

export function CoachPanel({ store, goTo, screen }) {
  const [off, turnOff] = useKept(store, "coach off", false);
  const advice = useView(store, "advice");
  if (off || !advice) return null;
  return html`<aside class="coach" aria-label="Coach"><div><strong>Step ${advice.step} of ${advice.steps}: ${advice.title}</strong><p>${advice.why}</p></div>
    <div class="row">${advice.screen === screen ? null : html`<button type="button" class="primary" onClick=${() => goTo(advice.screen)}>Show me where</button>`}
      <button type="button" onClick=${() => turnOff(true)}>Turn the coach off</button></div></aside>`;
}
