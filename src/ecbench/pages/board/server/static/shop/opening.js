// While a long year is replayed: its last state and its chart, as the record states them, and how far the replay is.

import { html, useEffect, useRef, useState } from "../../components/preact.js";
import { yuan } from "../../components/dom.js";
import { YearChart } from "../../components/year_chart.js";
import { agentName, ask } from "../page.js";

const LOOK_MS = 200; // between two looks

export function Opening({ store }) {
  const [share, show] = useState(0);
  const [glance, setGlance] = useState(null);
  useEffect(() => {
    let open = true;
    ask(`${store.path}/glance`).then((found) => open && setGlance(found), () => {}); // the year itself says what is wrong
    const timer = setInterval(async () => {
      const { done, whole } = await ask(`${store.path}/opening`).catch(() => ({}));
      if (open && whole) show(done / whole);
    }, LOOK_MS);
    return () => { open = false; clearInterval(timer); };
  }, []);
  if (store.message) return html`<p class="opening bad" role="status">${store.message.text} <a href="/">All games</a></p>`;
  return html`${glance ? html`<${Glance} year=${glance} />` : null}
    <p class="opening" role="status">Loading every turn of the game … <progress max="1" value=${share} aria-label="Opening the year"></progress></p>`;
}

function Glance({ year }) {
  const place = useRef(null);
  useEffect(() => {
    const chart = new YearChart(place.current, { height: 170 });
    chart.show({ ...year, spans: [], dots: [], others: [] });
    chart.pick(year.total.length - 1);
    return () => chart.destroy();
  }, []);
  const day = year.total.length - 1;
  return html`<header class="top-bar"><a href="/" class="back" aria-label="All games">‹</a><strong>${agentName(year.agent)} on ${year.world}</strong>
      <span class="muted">day ${day} of ${year.days}, ${year.turns.toLocaleString("en")} ${year.turns === 1 ? "turn" : "turns"}</span>
      <dl class="pots" aria-label="Money">${["bank", "wallet", "escrow", "total"].map((name) => html`<div key=${name}><dt>${name}</dt><dd>${yuan(year[name][day])}</dd></div>`)}</dl></header>
    <section class="timeline" aria-label="The year"><div ref=${place}></div></section>`;
}
