// The result of a year that is over: how it compares, what it came to, its best and worst decisions, the truth about
// its
// deals, a card to keep, and the file that proves it.

import { counted, yuan } from "../../../../components/static/format.js";
import { html, useEffect, useState } from "../../../../components/static/preact.js";
import { DataGrid, money } from "../../../../components/static/table.js";
import { ask } from "../page.js";
import { ConductLedger } from "./conduct.js";
import { DecisionLists, useDecisions } from "./decision_lists.js";
import { ResultCard } from "./result_card.js";
import { attemptSentence, comparison, dateOf, endingSentence, timesTheStake } from "./result_sentences.js";
import { RevealedDeals } from "./revealed_deals.js";

const KINDS = {
  run: "this game", anchor: "merchant of the package", par: "merchant of the package, played beside you",
    bound: "upper bound (docs/bound.md)",
  paper: "model of the paper, on another catalog", folder: "game in this folder, same terms",
    parent: "the game it was branched from",
};
const STANDINGS = [
  { key: "name", title: "Who", cell: (row) => (row.kind === "run" ? html`<strong>${row.name}</strong>` : row.name) },
  { key: "kind", title: "What", value: (row) => KINDS[row.kind] },
  money("final_assets", "Final assets", { digits: 0 }),
];

// The truth about a player's own year is shown at once, about another's when it is asked for.
export function Result({ store, goTo }) {
  const [found, show] = useState(null); // the answer of the server, or its problem
  const [asked, reveal] = useState(false);
  const revealed = store.year.hidden_truth && (store.year.own || store.truth || asked);
  const decided = useDecisions(store, revealed);
  useEffect(() => {
    addUp(store, (next) => {
      show(next);
      store.par = (next.par ?? []).map((each) => ({ name: `${each.name} (par)`, curve: each.curve }));
      store.changed();
    });
    return () => { store.par = []; };
  }, [store.path]);
  if (!found?.end) return html`<p class=${found ? "bad" : "muted"} role="status">
    ${found ? `The result cannot be shown: ${found.problem}.` : "Adding up …"}</p>`;
  const { end, attempt, par, command } = found;
  return html`<section class="panel result" aria-label="The result"><h1>
    ${attempt ? `Challenge of ${dateOf(attempt.date)}: the result` : "The result"}</h1>
      <p class="figure">${yuan(end.final_assets)}</p>
      <p class="verdict-line">${comparison(end, par)}</p>
      <p>${timesTheStake(end)} after ${counted(end.day, "day")} and ${counted(end.calls, "call")}
        . ${endingSentence(end)}</p>
      ${end.skill == null ? html`<${PendingSkill} result=${found} />` : html`<p>Skill ${end.skill.toFixed(3)}
        : how far towards the most that could be expected, ${yuan(end.bound)}
        , on a logarithmic scale. -1 is ruin, 0 the stake, 1 the upper bound.
        ${end.ranked_by_skill ? " It is the primary score under these rules." : ""}</p>`}
      <${Standings} end=${end} attempt=${attempt} par=${par} /></section>
    <${ConductLedger} entries=${found.conduct} /><${ResultCard} store=${store} result=${found} />
    ${revealed ? html`<${DecisionLists} store=${store} decided=${decided} goTo=${goTo} />`
      : store.year.hidden_truth ? html`<p><button type="button" onClick=${() => reveal(true)}>
        Reveal the best and worst decisions, floors and cheats</button></p>` : null}
    ${revealed ? html`<${RevealedDeals} store=${store} />` : null}
    <section class="panel" aria-label="Proof"><h1>Proof</h1><p><a href=${`/runs/${store.run}/report`} target="_blank"
      rel="noopener">Report of the game</a> · <a href=${`/runs/${store.run}/proof`} download=${true}>
      File that proves it</a>. To check it: <code>${command}</code></p></section>`;
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

function PendingSkill({ result }) {
  if (result.computing) return html`<p class="muted" role="status">
    Skill: computing the upper bound of this world … <progress aria-label="The upper bound"></progress></p>`;
  return result.problem ? html`<p class="bad">Skill could not be computed: ${result.problem}.</p>` : null;
}

function Standings({ end, attempt, par }) {
  const known = new Set(end.standings.map((row) => row.name));
  const played = par.filter((each) => !known.has(each.name))
    .map((each) => ({ name: each.name, kind: "par", final_assets: each.final_assets }));
  const [scale, own] = [end.standings.filter((row) => row.kind === "paper"),
    end.standings.filter((row) => row.kind !== "paper")];
  const rows = [...[...own, ...played].sort((a, b) => b.final_assets - a.final_assets), ...scale];
  return html`${attempt ? html`<p><strong>${attemptSentence(attempt)}</strong></p>` : null}
    ${end.alone ? html`<p>Shown alone: ${end.alone}.</p>` : null}
    ${rows.length > 1 ? html`<details open><summary>Final assets on the same world, days, stake and rules
      ${scale.length ? "; the paper's models on another catalog" : ""}</summary><${DataGrid} label="standings"
      columns=${STANDINGS} rows=${rows} keyOf=${(row) => `${row.kind} ${row.name}`} search=${false} /></details>`
      : html`<p class="muted">No other game in this folder was played on the same terms.</p>`}`;
}
