// While a long year is replayed: how far it is.

import { html, useEffect, useState } from "../../components/preact.js";
import { ask } from "../page.js";

const LOOK_MS = 200; // between two looks

export function Opening({ store }) {
  const [share, show] = useState(0);
  useEffect(() => {
    const timer = setInterval(async () => {
      const { done, whole } = await ask(`${store.path}/opening`).catch(() => ({}));
      if (whole) show(done / whole);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  if (store.message) return html`<p class="opening bad" role="status">${store.message.text} <a href="/">All years</a></p>`;
  return html`<p class="opening" role="status">Opening the year … <progress max="1" value=${share} aria-label="Opening the year"></progress></p>`;
}
