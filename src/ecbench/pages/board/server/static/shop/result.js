// The result of a year that is over: its verdict and what it stands beside, its best and worst decisions, the truth
// about its deals, a card to keep, and the file that proves it. Sentences and the card are the server's.

import { Button, Field } from "../../../../components/static/controls.js";
import { counted, yuan } from "../../../../components/static/format.js";
import { html, useEffect, useRef, useState } from "../../../../components/static/preact.js";
import { DataGrid, cell } from "../../../../components/static/table.js";
import { ask } from "../page.js";
import { ConductLedger } from "./conduct.js";
import { useAnswer } from "./store.js";
import { useReview } from "./watching.js";

const FEW = 12; // purchases that are listed at once

// The truth about a player's own year is shown at once, about another's when it is asked for.
export function Result({ store, goTo }) {
  const [found, show] = useState(null); // the answer of the server, or its problem
  const [asked, reveal] = useState(false);
  const revealed = store.year.hidden_truth && (store.year.own || store.truth || asked);
  useEffect(() => {
    addUp(store, (next) => {
      show(next);
      store.par = (next.par ?? []).map((each) => ({ name: `${each.name} (par)`, curve: each.curve }));
      store.changed();
    });
    return () => { store.par = []; };
  }, [store.path]);
  if (!found?.verdict) return html`<p class=${found ? "bad" : "muted"} role="status">
    ${found ? `The result cannot be shown: ${found.problem}.` : "Adding up …"}</p>`;
  const standings = found.standings.map((row) => ({ ...row, className: row.kind === "run" ? "own" : "" }));
  return html`<section class="panel result" aria-label="The result"><h1>${found.title}</h1>
      <p class="figure">${yuan(found.final_assets)}</p><p class="verdict-line">${found.verdict}</p>
      ${found.cause && html`<p>${found.cause}</p>`}<p>${found.told}</p>
      ${found.computing ? html`<p class="muted" role="status">Skill: computing the upper bound of this world …${" "}
        <progress aria-label="The upper bound"></progress></p>`
        : found.problem ? html`<p class="bad">Skill could not be computed: ${found.problem}.</p>`
        : html`<p>${found.skill_told}</p>`}
      ${found.attempt && html`<p><strong>${found.attempt}</strong></p>`}
      ${found.alone && html`<p>Shown alone: ${found.alone}.</p>`}
      ${standings.length > 1 ? html`<details open><summary>${found.standings_title}</summary>
        <${DataGrid} table="standings" rows=${standings} search=${false} /></details>`
        : html`<p class="muted">No other game in this folder was played on the same terms.</p>`}</section>
    <${ConductLedger} entries=${found.conduct} /><${ResultCard} store=${store} result=${found} />
    ${revealed ? html`<${Decisions} store=${store} goTo=${goTo} /><${RevealedDeals} store=${store} />`
      : store.year.hidden_truth && html`<p><${Button} act=${() => reveal(true)}
        label="Reveal the best and worst decisions, floors and cheats" /></p>`}
    <section class="panel" aria-label="Proof"><h1>Proof</h1><p><a href=${`/runs/${store.run}/report`} target="_blank"
      rel="noopener">Report of the game</a> · <a href=${`/runs/${store.run}/proof`} download=${true}>
      File that proves it</a>. To check it: <code>${found.command}</code></p></section>`;
}

// The money is shown at once. The par and what skill is measured by may take seconds to compute.
async function addUp(store, show) {
  let found = null;
  try {
    found = await ask(`${store.path}/end`);
    show(found);
    if (found.computing) show(await ask(`${store.path}/end/skill`));
  } catch (problem) {
    show({ ...found, computing: false, problem: problem.message });
  }
}

// The best and worst decisions, each with its yuan, one sentence and the way to its turn; again once a review is made.
function Decisions({ store, goTo }) {
  const { state, review, make } = useReview(store, true);
  const found = useAnswer(`truth/decisions${review ? "?reviewed" : ""}`, (path) => store.askTruth(path));
  if (!found?.best) return html`<section class="panel" aria-label="Decisions">
    <p class=${found ? "bad" : "muted"} role="status">${found ? `The decisions cannot be judged: ${found.problem}.`
    : "Looking for the best and worst decisions: the whole episode is replayed once …"}</p></section>`;
  const link = ({ screen, turn, day }) => html`<a href=${`/runs/${store.run}/${store.episode}/${screen}?turn=${turn}`}
    onClick=${(event) => { event.preventDefault(); goTo(screen); store.go(turn); }}>
    Day ${day}, turn ${turn.toLocaleString("en")}</a>`;
  const list = (title, kind, none, rows) => html`<div><h2>${title}</h2>
    ${rows.length ? html`<ol>${rows.map((each) => html`<li key=${each.sentence}><strong class=${kind}>
      ${kind === "bad" ? "-" : "+"}${yuan(each.yuan)}</strong> ${each.sentence} ${link(each)}</li>`)}</ol>`
      : html`<p class="muted">${none}</p>`}</div>`;
  return html`<section class="panel" aria-label="Decisions"><div class="two decisions">
      ${list("Best decisions", "good", "No goods earned money, and no bargain saved any.", found.best)}
      ${list("Worst decisions", "bad", "Nothing was lost that could have been kept.", found.worst)}</div>
    <p class="muted">${found.about}</p>
    ${!found.reviewed && (state?.under_way
      ? html`<p role="status">The engine is judging the weeks: it plays on from each. ${state.output}</p>`
      : html`<p><${Button} label="Let the engine judge each week (quick review)" act=${make} />
        ${state?.output && html` <span class="bad">${state.output}</span>`}</p>`)}</section>`;
}

// Every purchase of a year beside the least that its supplier would have taken, and which suppliers cheated.
function RevealedDeals({ store }) {
  const deals = useAnswer("truth/deals", (path) => store.askTruth(path));
  if (!deals?.map) return null;
  const over = deals.reduce((sum, deal) => sum + deal.overpaid, 0);
  const cheats = new Set(deals.filter((deal) => deal.scam).map((deal) => deal.supplier)).size;
  const rows = deals.map((deal) => ({ ...deal, scam: cell(deal.scam, deal.scam || "honest", deal.scam) }));
  return html`<section class="panel" aria-label="Floors and cheats"><h1>Floors and cheats</h1>
    <p>${counted(deals.length, "purchase order")}, ${yuan(over)} over their floors (the least that each supplier would
      have taken). ${cheats ? counted(cheats, "supplier was a cheat", "suppliers were cheats")
        : "None of the suppliers was a cheat"}.</p>
    ${deals.length ? html`<details open=${deals.length <= FEW}><summary>All purchases, the dearest mistake first
      </summary><${DataGrid} table="purchases with their floors" rows=${rows} /></details>`
      : html`<p class="muted">Nothing was bought.</p>`}</section>`;
}

// A card of the result, which is saved as a PNG, a line of text and a code. Nothing on it names a product, a store type
// or a supplier: who plays later must not be told.
function ResultCard({ store, result: { card, code, computing } }) {
  const picture = useRef(null);
  const [name, setName] = useState("");
  const [copied, setCopied] = useState(false);
  const query = new URLSearchParams({ name: name.trim(), whole: String(!computing) }); // drawn again with the par
  const save = () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1200, height: 630 });
    canvas.getContext("2d").drawImage(picture.current, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => {
      const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob),
        download: `ecbench-${store.year.timeline.world}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  };
  const copy = () => navigator.clipboard?.writeText(card.text).then(() => setCopied(true), () => {});
  return html`<section class="panel" aria-label="A card to send"><h1>A card to send</h1>
    <div class="row"><${Field} type="text" label="Your name (optional, on the card alone)" maxlength="40"
        value=${name} set=${setName} /><${Button} class="primary" label="Save the card" act=${save} /></div>
    <img ref=${picture} class="result-card" width="1200" height="630" alt=${`${card.text} ${name}`.trim()}
      src=${`/runs/${store.run}/${store.episode}/card.svg?${query}`} />
    <div class="row share"><label class="grow">A line to paste <input type="text" readonly value=${card.text}
      onFocus=${(event) => event.target.select()} /></label>
      <${Button} label=${copied ? "Copied" : "Copy"} act=${copy} /></div>
    ${code && html`<p>The code of this game: <code class="code">${code}</code>. On any installation, <code>ecbench board
      </code> opens the same game from it: the same world, days and rules.</p>`}</section>`;
}
