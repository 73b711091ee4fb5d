// Earlier days of a game that one plays: the same screens as they were then, for reading only.

import { html, useEffect, useRef } from "../../../../components/static/preact.js";

export function LookBackButton({ store }) {
  return store.day > 0 ? html`<button type="button" onClick=${() => store.goToDay(store.day - 1)}>
    Look back at earlier days</button>` : null;
}

export function LookBackBar({ store }) {
  const slider = useRef(null);
  useEffect(() => slider.current.focus({ preventScroll: true }), []);
  const today = store.year.timeline.turns.length - 1;
  return html`<section class="look-back row" aria-label="Looking back"><span><strong>Day ${store.day} as it was
    </strong> before you closed it. Nothing can be changed here.</span>
    <span class="row">
      <button type="button" onClick=${() => store.goToDay(store.day - 1)} aria-label="The day before">‹</button>
      <input ref=${slider} type="range" min="0" max=${today} value=${store.day} aria-label="Day to look at"
        aria-valuetext=${`day ${store.day}; today is day ${today}`}
        onInput=${(event) => store.goToDay(Number(event.target.value))} />
      <button type="button" onClick=${() => store.goToDay(store.day + 1)} aria-label="The next day">›</button></span>
    <button type="button" class="primary" onClick=${() => store.follow()}>Back to today</button></section>`;
}
