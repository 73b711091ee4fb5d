// The end of a year: its place, its report, the floors of its deals, and a file that proves it.

import { ask, el, put, table, trying, yuan } from "./page.js";

export async function showEnding(place, path, run, ownYear) {
  const told = await trying(() => ask(`${path}/end`));
  if (!told) return;
  const { end, command } = told;
  put(place, el("h2", {}, "The end"),
    el("p", {}, el("strong", {}, yuan(end.final_assets)), `, ${(end.final_assets / end.stake).toFixed(1)} times the stake, after ${end.day} days and ${end.calls.toLocaleString("en")} calls (${end.ending.replaceAll("_", " ")}${end.fork ? `, ${end.fork}` : ""}).`),
    skill(end), standing(end, ownYear), floors(path, ownYear), proof(run, command));
}

function skill(end) {
  if (end.skill == null) return null;
  const rank = end.ranked_by_skill ? " It is the primary score under these rules." : "";
  return el("p", {}, `Skill ${end.skill.toFixed(3)}, where 0 is the stake and 1 is the bound on average, ${yuan(end.bound)}.${rank}`);
}

function standing(end, ownYear) {
  const own = end.standings.find((row) => row.kind === "own");
  const what = { own: "this year", paper: "model of the paper", folder: "year of this folder, same terms", parent: "the year it was forked from" };
  const numbered = end.standings.filter((row) => row.counts);
  const rows = end.standings.map((row) => [row.counts ? numbered.indexOf(row) + 1 : "–", row.kind === "own" ? el("strong", {}, row.name) : row.name, what[row.kind], yuan(row.final_assets)]);
  const axes = end.places.filter((row) => row.place != null).map((row) => `${row.axis} #${row.place}`);
  const place = end.no_place ? el("p", {}, `No place among the paper's models: ${end.no_place}.`)
    : el("p", {}, `Place among ${end.among}, itself and the paper's models: ${axes.join(", ")}.`);
  const beside = end.standings.length > 1 ? own.counts ? `Final assets: number ${numbered.indexOf(own) + 1} of ${numbered.length}` : "Final assets beside other years of this folder" : "No other year of this folder has the same terms.";
  return [place, end.remarks.length ? el("p", { class: "muted" }, end.remarks.join(" ")) : null,
    el("details", { open: ownYear && end.standings.length > 1 }, el("summary", {}, beside), table(["#", "who", "what", "final assets"], rows, ""))];
}

function floors(path, ownYear) {
  const shown = el("div", {});
  const reveal = async () => {
    const deals = await trying(() => ask(`${path}/truth/deals`, { "X-Ecbench-Truth": "shown" }));
    if (!deals) return;
    const over = deals.reduce((sum, deal) => sum + deal.overpaid, 0);
    const rows = deals.map((deal) => [deal.title, deal.supplier, deal.honest ? "honest" : el("span", { class: "bad" }, "cheats"), deal.day, deal.units, yuan(deal.paid, 2), deal.floor == null ? "–" : yuan(deal.floor, 2), yuan(deal.overpaid, 2)]);
    put(shown, el("h3", {}, `${deals.length.toLocaleString("en")} purchase orders, ${yuan(over)} over their floors`),
      table(["goods", "supplier", "", "day", "units", "paid", "floor", "overpaid"], rows, "Nothing was bought."));
  };
  if (ownYear) reveal();
  return ownYear ? shown : [el("button", { type: "button", onclick: reveal }, "Reveal the floors of all purchases"), shown];
}

function proof(run, command) {
  return el("p", {}, el("a", { href: `/runs/${run}/report`, target: "_blank", rel: "noopener" }, "Report"), " · ",
    el("a", { href: `/runs/${run}/proof`, download: true }, "File that proves it"), " To check it: ", el("code", {}, command));
}
