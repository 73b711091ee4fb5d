// While a long year is replayed: its last state and its chart, as the record states them, and how far the replay is.

import { html, useEffect, useState } from "../../../../components/static/preact.js";
import { counted, yuan } from "../../../../components/static/format.js";
import { YearChart } from "../../../../components/static/year_chart.js";
import { agentName, ask } from "../page.js";

const FIRST_LOOK_MS = 300; // each look at a replay waits half as long again as the one before

export function Opening({ store }) {
  const [share, show] = useState(0);
  const [glance, setGlance] = useState(null);
  useEffect(() => {
    let open = true;
    ask(`${store.path}/glance`).then((found) => open && setGlance(found), () => {});
      // the year itself says what is wrong
    let wait = FIRST_LOOK_MS;
    const look = async () => {
      const { done, whole } = await ask(`${store.path}/opening`).catch(() => ({}));
      if (open && whole) show(done / whole);
      wait *= 1.5;
      if (open) timer = setTimeout(look, wait);
    };
    let timer = setTimeout(look, wait);
    return () => { open = false; clearTimeout(timer); };
  }, []);
  if (store.message) return html`<p class="opening bad" role="status">${store.message[0].text} <a href="/">All games</a>
    </p>`;
  return html`${glance ? html`<${Glance} year=${glance} />` : null}
    <p class="opening" role="status">Loading every turn of the game … <progress max="1" value=${share}
      aria-label="Opening the year"></progress></p>`;
}

function Glance({ year }) {
  const day = year.total.length - 1;
  return html`<header class="top-bar"><a href="/" class="back" aria-label="All games">‹</a><strong>
    ${agentName(year.agent)} on ${year.world}</strong>
      <span class="muted">day ${day} of ${year.days}, ${counted(year.turns, "turn")}</span>
      <dl class="pots" aria-label="Money">${["bank", "wallet", "escrow", "total"]
        .map((name) => html`<div key=${name}><dt>${name}</dt><dd>${yuan(year[name][day])}</dd></div>`)}</dl></header>
    <section class="timeline" aria-label="The year"><${YearChart} year=${year} day=${day} height=${170} /></section>`;
}
