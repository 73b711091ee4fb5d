// The end of a year: what it came to, and the button that ends it early.

import { html, useEffect, useRef, useState } from "../../components/preact.js";
import { send } from "../page.js";
import { showEnding } from "../ending.js";

export function YearEnd({ store }) {
  const place = useRef(null);
  useEffect(() => { showEnding(place.current, store.path, store.run, store.year.own); }, [store.path]);
  return html`<section class="panel" ref=${place} aria-label="The end of the year"></section>`;
}

export function EndEarly({ store }) {
  const [asked, ask] = useState(false);
  const end = () => store.attempt(async () => {
    await send(`${store.path}/finish`, {});
    await store.refresh();
  });
  if (!asked) return html`<p><button type="button" onClick=${() => ask(true)}>End the year early …</button></p>`;
  return html`<p class="row ask">This ends the year for good: what is outstanding is settled, and nothing can be taken back.
    <button type="button" class="primary" onClick=${end}>End it</button><button type="button" onClick=${() => ask(false)}>Play on</button></p>`;
}
