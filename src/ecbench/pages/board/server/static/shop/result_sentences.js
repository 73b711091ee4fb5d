// What is said of a result, on its page, on its card and in the line to paste.

import { yuan } from "../../../../components/static/format.js";

export function timesTheStake({ final_assets: money, stake }) {
  return `${(money / stake).toFixed(money < 10 * stake ? 2 : 1)} times the stake of ${yuan(stake)}`;
}

export function attemptSentence({ number }) {
  return number === 1 ? "This was your first attempt at this challenge: it counts."
    : `This was your attempt number ${number} at this challenge: only the first one counts.`;
}

// A date as 2026-01-31, of 20260131.
export function dateOf(date) {
  return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
}

const ENDED = {
  year_end: "It was played to its last day", bankruptcy: "It ended in bankruptcy",
    turn_limit: "It ended at the limit of turns", idle: "It was ended early",
  failed: "It ended because the agent failed",
};

export function endingSentence({ ending, fork }) {
  return `${ENDED[ending] ?? ending}${fork ? `, as a ${fork}` : ""}.`;
}

// Against the merchants of the par, or those of the ladder: whom it beat, and by whom it was beaten.
export function comparison(end, par) {
  const merchants = par.length ? par : end.standings.filter((row) => row.kind === "anchor");
  if (!merchants.length) return "";
  const amounts = (rows) => rows.map((row) => `${row.name} (${yuan(row.final_assets)})`).join(", ")
    .replace(/, ([^,]*\([^)]*\))$/, " and $1");
  const [beaten, ahead] = [merchants.filter((row) => row.final_assets < end.final_assets),
    merchants.filter((row) => row.final_assets >= end.final_assets)];
  const parts = [beaten.length ? `More than ${amounts(beaten)}` : "", ahead.length
    ? `${beaten.length ? "less" : "Less"} than ${amounts(ahead)}` : ""];
  return `${parts.filter(Boolean).join(", ")}, on the same terms.`;
}
