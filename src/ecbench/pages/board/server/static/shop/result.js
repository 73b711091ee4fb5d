// The result of a year that is over: its verdict and what it stands beside, its best and worst decisions, the truth
// about its deals, a card to keep, and the file that proves it. Sentences are the server's.

import { Button, Field } from "../../../../components/static/controls.js";
import { counted, yuan } from "../../../../components/static/format.js";
import { html, useEffect, useRef, useState } from "../../../../components/static/preact.js";
import { DataGrid, money, number, text } from "../../../../components/static/table.js";
import { ask } from "../page.js";
import { ConductLedger } from "./conduct.js";
import { useAnswer, useKept } from "./store.js";
import { useReview } from "./watching.js";

const FEW = 12; // purchases that are listed at once
const STANDINGS = [
  text("name", "Who", { cell: (row) => (row.kind === "run" ? html`<strong>${row.name}</strong>` : row.name) }),
  text("what", "What"), money("final_assets", "Final assets", { digits: 0 })];
const DEALS = [text("title", "Goods"), text("supplier", "Supplier"),
  text("scam", "Honest?", { value: (deal) => deal.scam || "honest",
    cell: (deal) => html`<span class=${deal.scam ? "bad" : ""}>${deal.scam || "honest"}</span>` }),
  number("day", "Day"), number("units", "Units"), money("paid", "Paid a unit"),
  money("floor", "Floor", { hint: "the least that the supplier would have taken" }),
  money("overpaid", "Overpaid", { hint: "for all units" })];

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
  return html`<section class="panel result" aria-label="The result"><h1>${found.title}</h1>
      <p class="figure">${yuan(found.final_assets)}</p><p class="verdict-line">${found.verdict}</p>
      ${found.cause && html`<p>${found.cause}</p>`}<p>${found.told}</p>
      ${found.computing ? html`<p class="muted" role="status">Skill: computing the upper bound of this world …${" "}
        <progress aria-label="The upper bound"></progress></p>`
        : found.problem ? html`<p class="bad">Skill could not be computed: ${found.problem}.</p>`
        : html`<p>${found.skill_told}</p>`}
      ${found.attempt && html`<p><strong>${found.attempt}</strong></p>`}
      ${found.alone && html`<p>Shown alone: ${found.alone}.</p>`}
      ${found.standings.length > 1 ? html`<details open><summary>${found.standings_title}</summary>
        <${DataGrid} label="standings" columns=${STANDINGS} rows=${found.standings} search=${false}
          keyOf=${(row) => `${row.kind} ${row.name}`} /></details>`
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
    <p class="muted">The best: goods that earned most after freight and refunds, and the bargain that saved most
      against the first quote. The worst: ${found.reviewed ? "weeks that the review marks, then " : ""}the dearest line
      of each kind in the account of losses.${found.reviewed ? "" : " The amounts may overlap."}</p>
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
  return html`<section class="panel" aria-label="Floors and cheats"><h1>Floors and cheats</h1>
    <p>${counted(deals.length, "purchase order")}, ${yuan(over)} over their floors (the least that each supplier would
      have taken). ${cheats ? counted(cheats, "supplier was a cheat", "suppliers were cheats")
        : "None of the suppliers was a cheat"}.</p>
    ${deals.length ? html`<details open=${deals.length <= FEW}><summary>All purchases, the dearest mistake first
      </summary><${DataGrid} label="purchases with their floors" columns=${DEALS} rows=${deals}
      keyOf=${(deal) => deals.indexOf(deal)} /></details>` : html`<p class="muted">Nothing was bought.</p>`}</section>`;
}

// A card of the result as a PNG, a line of text and a code: made here, saved by the visitor, sent nowhere.
// Nothing on it names a product, a store type or a supplier: who plays later must not be told.
function ResultCard({ store, result: { card, code, par, stake, final_assets: final } }) {
  const canvas = useRef(null);
  const everyYear = { path: "player", changed: () => store.changed() };
  const [name, setName] = useKept(everyYear, "name", ""); // in this browser alone
  const [copied, setCopied] = useState(false);
  const { total, world } = store.year.timeline;
  useEffect(() => drawCard(canvas.current, card, name.trim(), [...total, final], stake, par));
  const save = () => canvas.current.toBlob((blob) => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob),
      download: `ecbench-${world}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  const copy = () => navigator.clipboard?.writeText(card.text).then(() => setCopied(true), () => {});
  return html`<section class="panel" aria-label="A card to send"><h1>A card to send</h1>
    <div class="row"><${Field} type="text" label="Your name (optional, stays in this browser)" maxlength="40"
        value=${name} set=${setName} /><${Button} class="primary" label="Save the card" act=${save} /></div>
    <canvas ref=${canvas} class="result-card" width="1200" height="630" role="img"
      aria-label=${`${card.title}. ${card.money}, ${card.times}, ${card.ended}. ${card.beside} ${name}`.trim()}>
      </canvas>
    <div class="row share"><label class="grow">A line to paste <input type="text" readonly value=${card.text}
      onFocus=${(event) => event.target.select()} /></label>
      <${Button} label=${copied ? "Copied" : "Copy"} act=${copy} /></div>
    ${code && html`<p>The code of this game: <code class="code">${code}</code>. On any installation, <code>ecbench board
      </code> opens the same game from it: the same world, days and rules.</p>`}</section>`;
}

function drawCard(canvas, card, name, curve, stake, par) {
  const pen = canvas.getContext("2d");
  const { width, height } = canvas;
  const edge = 64;
  const colour = (key) => getComputedStyle(canvas).getPropertyValue(`--${key}`).trim();
  const main = colour(card.bankrupt ? "bad" : "accent");
  const write = (words, size, ink, x, y, weight = 400, align = "left") => {
    Object.assign(pen, { font: `${weight} ${size}px system-ui, sans-serif`, fillStyle: ink, textAlign: align });
    pen.fillText(words, x, y, align === "right" ? width / 2 : width - edge - x);
  };
  const block = (ink, y, tall) => { pen.fillStyle = ink; pen.fillRect(0, y, width, tall); };
  block(colour("paper"), 0, height);
  block(main, 0, 12);
  write("E-Commerce Bench", 26, colour("muted"), edge, 66);
  write(name, 30, colour("ink"), width - edge, 66, 400, "right");
  write(card.title, 44, colour("ink"), edge, 128, 600);
  write(card.money, 84, main, edge, 224, 700);
  const right = edge + pen.measureText(card.money).width + 28;
  write(`${card.times}, ${card.ended}`, 28, colour("muted"), right, 188);
  write(card.beside, 28, colour("ink"), right, 226);
  const lines = [{ name: "", values: curve, ink: main, wide: 5 }, ...par.map((each, at) =>
    ({ name: each.name, values: each.curve, ink: colour(`race-${(at % 3) + 1}`), wide: 2.5 }))];
  const all = lines.flatMap((each) => each.values);
  const [most, least, days] = [Math.max(stake, ...all) * 1.05, Math.min(0, ...all), Math.max(1, curve.length - 1)];
  const x = (at) => edge + ((width - 2 * edge) * Math.min(at, days)) / days;
  const y = (value) => 300 + 190 * (1 - (value - least) / (most - least));
  const trace = (values) => new Path2D(`M${values.map((value, at) => `${x(at)} ${y(value)}`).join("L")}`);
  const draw = (values, ink, wide) => {
    Object.assign(pen, { strokeStyle: ink, lineWidth: wide });
    pen.stroke(trace(values));
  };
  pen.setLineDash([6, 6]);
  draw(Array(days + 1).fill(stake), colour("muted"), 1.5);
  pen.setLineDash([]);
  for (const each of lines.toReversed()) draw(each.values, each.ink, each.wide);
  write(`money day by day; dashed: the stake of ${yuan(stake)}`, 20, colour("muted"), edge, 524);
  par.forEach((each, at) => write(`— ${each.name}`, 22, colour(`race-${(at % 3) + 1}`), edge + 190 * at, 564, 600));
  canvas.dataset.drawn = card.money;
}
