// What is said of a result, on its page and on its card.

import { yuan } from "../../components/dom.js";

export function timesTheStake({ final_assets: money, stake }) {
  return `${(money / stake).toFixed(money < 10 * stake ? 2 : 1)} times the stake of ${yuan(stake)}`;
}

export function attemptSentence({ number }) {
  return number === 1 ? "This was your first attempt at this challenge: it counts." : `This was your attempt number ${number} at this challenge: only the first one counts.`;
}

// A date as 2026-01-31, of 20260131.
export function dateOf(date) {
  return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
}

export function endingSentence({ ending, fork }) {
  const how = { year_end: "It was played to its last day", bankruptcy: "It ended in bankruptcy", turn_limit: "It ended at the limit of turns", idle: "It was ended early", failed: "It ended because the agent failed" }[ending] ?? ending;
  return `${how}${fork ? `, as a ${fork}` : ""}.`;
}
