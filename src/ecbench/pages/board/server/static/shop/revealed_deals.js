// Every purchase of a year beside the least that its supplier would have taken, and which suppliers cheated.

import { html, useEffect, useState } from "../../../../components/static/preact.js";
import { counted, yuan } from "../../../../components/static/format.js";
import { DataGrid, money } from "../../../../components/static/table.js";

const FEW = 12; // purchases that are listed at once
const CHEATS = {
  vip_fee: "cheats: asks for a membership fee", future_discount: "cheats: promises discounts that never come",
    fake_urgency: "cheats: invents a deadline",
  qty_bait: "cheats: delivers fewer units", quality_downgrade: "cheats: delivers defective goods",
};
const COLUMNS = [
  { key: "title", title: "Goods" },
  { key: "supplier", title: "Supplier" },
  { key: "scam", title: "Honest?", value: (deal) => cheatOf(deal),
    cell: (deal) => html`<span class=${deal.scam ? "bad" : ""}>${cheatOf(deal)}</span>` },
  { key: "day", title: "Day", numeric: true },
  { key: "units", title: "Units", numeric: true },
  money("paid", "Paid a unit"),
  money("floor", "Floor", { hint: "the least that the supplier would have taken" }),
  money("overpaid", "Overpaid", { hint: "for all units" }),
];

export function RevealedDeals({ store }) {
  const [deals, show] = useState(null);
  useEffect(() => { store.attempt(async () => show(await store.askTruth("truth/deals"))); }, [store.path]);
  if (!deals) return null;
  const over = deals.reduce((sum, deal) => sum + deal.overpaid, 0);
  const cheats = new Set(deals.filter((deal) => deal.scam).map((deal) => deal.supplier)).size;
  const rows = deals.map((deal, at) => ({ ...deal, at }));
  return html`<section class="panel" aria-label="Floors and cheats"><h1>Floors and cheats</h1>
    <p>${counted(deals.length, "purchase order")}, ${yuan(over)} over their floors (the least that each supplier would
      have taken). ${cheats ? `${cheats.toLocaleString("en")} of the suppliers ${cheats === 1 ? "was a cheat"
      : "were cheats"}.` : deals.length ? "None of the suppliers was a cheat." : ""}</p>
    ${deals.length ? html`<details open=${deals.length <= FEW}><summary>All purchases, the dearest mistake first
      </summary><${DataGrid} label="purchases with their floors" columns=${COLUMNS} rows=${rows}
      keyOf=${(deal) => deal.at} /></details>` : html`<p class="muted">Nothing was bought.</p>`}</section>`;
}

function cheatOf({ scam }) {
  return scam ? CHEATS[scam] ?? `cheats: ${scam.replaceAll("_", " ")}` : "honest";
}
