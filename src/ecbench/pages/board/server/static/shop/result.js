// The result of a year that is over: its verdict and what it stands beside, what it lost, the truth about its deals, a
// line to send, and the file that proves it. Sentences are the server's.

import { Button, html, Part, useEffect, useState } from "../../../../components/static/kit.js";
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
    <${Share} result=${found} />
    ${revealed ? html`<${Losses} store=${store} /><${RevealedDeals} store=${store} />`
      : store.year.hidden_truth && html`<p><${Button} act=${() => reveal(true)}
        label="Reveal what was lost, floors and cheats" /></p>`}
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

// What was lost by cause, and the weeks that a review marks.
function Losses({ store }) {
  const made = useReview(store, true);
  const found = useTruth(store, "truth/losses");
  return html`<section class="panel" aria-label="Losses"><h1>What was lost</h1>
    ${found?.html ? html`<${Part} html=${found.html} />` : html`<p class=${found ? "bad" : "muted"} role="status">
      ${found ? `The losses cannot be shown: ${found.problem}.` : "Adding up …"}</p>`}
    ${made.review ? html`<h2>Weeks that the review marks</h2><ul>${made.review.marks.map(({ day, text }) =>
      html`<li><a href=${`today?day=${day}`}>${text}</a></li>`)}</ul>`
      : made.state && html`<${WayToReview} made=${made} />`}</section>`;
}

function RevealedDeals({ store }) {
  const found = useTruth(store, "truth/deals");
  return found?.html && html`<${Part} html=${found.html} />`;
}

// A line about the result and the code of its game. They name no product, store type or supplier: who plays later must
// not be told.
function Share({ result: { line, code } }) {
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard?.writeText(line).then(() => setCopied(true), () => {});
  return html`<section class="panel" aria-label="Tell others"><h1>Tell others</h1>
    <div class="row share"><label class="grow">A line to paste <input type="text" readonly value=${line}
      onFocus=${(event) => event.target.select()} /></label>
      <${Button} label=${copied ? "Copied" : "Copy"} act=${copy} /></div>
    ${code && html`<p>The code of this game: <code class="code">${code}</code>. On any installation, <code>ecbench board
      </code> opens the same game from it: the same world, days and rules.</p>`}</section>`;
}
