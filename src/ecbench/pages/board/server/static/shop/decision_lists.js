// The best and worst decisions of a year, each with its yuan, one sentence and the way to its turn; and the review
// behind them.

import { html, useEffect, useState } from "../../../../components/static/preact.js";
import { yuan } from "../../../../components/static/format.js";
import { send } from "../page.js";

const LOOK_MS = 1000; // between two looks at a review that is being made

// Asked for only once hidden truth is `revealed`, and again when a review has been made.
export function useDecisions(store, revealed) {
  const [found, show] = useState(null); // the decisions, or why there are none
  const [review, setReview] = useState({ busy: false, output: "" });
  const look = () => store.askTruth("truth/decisions").then(show, (problem) => show({ problem: problem.message }));
  useEffect(() => { if (revealed) look(); }, [store.path, revealed]);
  useEffect(() => {
    if (!review.busy) return undefined;
    const timer = setInterval(async () => {
      const state = await store.askTruth("truth/review").catch(() => null);
      if (!state) return;
      setReview({ busy: state.under_way, output: state.output });
      if (state.review) look();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [review.busy]);
  const make = () => store.attempt(async () => {
    const state = await send(`${store.path}/review`, {});
    setReview({ busy: state.under_way, output: state.output });
    if (state.review) await look();
  });
  return { found, review, make };
}

export function DecisionLists({ store, decided, goTo }) {
  const { found, review, make } = decided;
  if (!found || found.problem) return html`<section class="panel" aria-label="Decisions">
    <p class=${found ? "bad" : "muted"} role="status">${found ? `The decisions cannot be judged: ${found.problem}.`
    : "Looking for the best and worst decisions: the whole episode is replayed once …"}</p></section>`;
  const basis = found.reviewed
    ? "The worst: weeks that the review marks, then the dearest line of each kind in the account of losses."
    : "The worst: the dearest line of each kind in the account of losses. The amounts may overlap.";
  return html`<section class="panel" aria-label="Decisions"><div class="two decisions">
      <${DecisionList} title="Best decisions" kind="good" none="No goods earned money, and no bargain saved any."
        list=${found.best} store=${store} goTo=${goTo} />
      <${DecisionList} title="Worst decisions" kind="bad" none="Nothing was lost that could have been kept."
        list=${found.worst} store=${store} goTo=${goTo} /></div>
    <p class="muted">The best: goods that earned most after freight and refunds, and the bargain that saved most
      against the first quote. ${basis}</p>
    ${found.reviewed ? null : review.busy ? html`<p role="status">The engine is judging the weeks: it plays on from
      each. ${review.output}</p>`
      : html`<p><button type="button" onClick=${make}>Let the engine judge each week (quick review)
        </button> ${review.output ? html`<span class="bad">${review.output}</span>` : null}</p>`}</section>`;
}

function DecisionList({ title, kind, none, list, store, goTo }) {
  return html`<div><h2>${title}</h2>
    ${list.length ? html`<ol>${list.map((each) => html`<li key=${each.sentence}><strong class=${kind}>
    ${kind === "bad" ? "-" : "+"}${yuan(each.yuan)}</strong> ${each.sentence} <${TurnLink} each=${each} store=${store}
    goTo=${goTo} /></li>`)}</ol>` : html`<p class="muted">${none}</p>`}</div>`;
}

function TurnLink({ each, store, goTo }) {
  const look = (event) => {
    event.preventDefault();
    goTo(each.screen);
    store.go(each.turn);
  };
  return html`<a href=${`/runs/${store.run}/${store.episode}/${each.screen}?turn=${each.turn}`} onClick=${look}>
    Day ${each.day}, turn ${each.turn.toLocaleString("en")}</a>`;
}
