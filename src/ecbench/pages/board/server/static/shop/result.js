// The result of a year that is over: its verdict and what it stands beside, its best and worst decisions, the truth
// about its deals, a card to keep, and the file that proves it. Sentences and the card are the server's.

import { Button, Field, html, Part, useEffect, useRef, useState } from "../../../../components/static/kit.js";
import { ask } from "../page.js";
import { useTruth } from "./store.js";
import { WayToReview, useReview } from "./watching.js";

// The truth about a player's own year is shown at once, about another's when it is asked for.
export function Result({ store }) {
  const [found, show] = useState(null); // the answer of the server, or its problem
  const [asked, reveal] = useState(false);
  const revealed = store.year.hidden_truth && (store.year.own || store.truth || asked);
  useEffect(() => { addUp(store, show); }, [store.path]);
  useEffect(() => {
    store.par = (found?.par ?? []).map((each) => ({ name: `${each.name} (par)`, curve: each.curve }));
    store.changed();
    return () => { store.par = []; };
  }, [found]);
  if (!found?.html) return html`<p class=${found ? "bad" : "muted"} role="status">
    ${found ? `The result cannot be shown: ${found.problem}.` : "Adding up …"}</p>`;
  return html`<${Part} html=${found.html} />
    ${found.computing && html`<p class="muted skill" role="status">Skill: computing the upper bound of this world …
      ${" "}<progress aria-label="The upper bound"></progress></p>`}
    ${found.problem && html`<p class="bad skill">Skill could not be computed: ${found.problem}.</p>`}
    <${ResultCard} store=${store} result=${found} />
    ${revealed ? html`<${Decisions} store=${store} /><${RevealedDeals} store=${store} />`
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

// The best and worst decisions; again once a review is made.
function Decisions({ store }) {
  const made = useReview(store, true);
  const found = useTruth(store, `truth/decisions${made.review ? "?reviewed" : ""}`);
  return html`<section class="panel" aria-label="Decisions">
    ${found?.html ? html`<${Part} html=${found.html} />` : html`<p class=${found ? "bad" : "muted"} role="status">
      ${found ? `The decisions cannot be judged: ${found.problem}.`
        : "Looking for the best and worst decisions: the whole episode is replayed once …"}</p>`}
    ${found?.reviewed === false && made.state && html`<${WayToReview} made=${made} />`}</section>`;
}

function RevealedDeals({ store }) {
  const found = useTruth(store, "truth/deals");
  return found?.html && html`<${Part} html=${found.html} />`;
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
