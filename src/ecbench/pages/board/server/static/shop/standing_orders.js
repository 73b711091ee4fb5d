// Standing orders: what is done each morning by itself. They send the same calls as the buttons, in turns that say so.

import { yuan } from "../../../../components/static/format.js";
import { ask } from "../page.js";
import { listings } from "./listing_plan.js";
import { bargainLetter, letterCall } from "./negotiation_letters.js";

const NONE = { ship: "", withdraw: false, list: "", rules: [] };

// The orders of a year, kept in this browser: a freight speed, whether to withdraw, at which percentage of the
// reference price new goods are listed, and rules to reorder.
export function standingOrders(store) {
  try {
    return { ...NONE, ...JSON.parse(localStorage.getItem(keyOf(store))) };
  } catch {
    return NONE;
  }
}

export function keepStandingOrders(store, orders) {
  localStorage.setItem(keyOf(store), JSON.stringify(orders));
  store.changed();
}

function keyOf(store) {
  return `standing ${store.path}`;
}

// Carries the orders out on a morning: one turn for the daily calls, and one or more for each reorder.
export async function carryOut(store) {
  const orders = standingOrders(store);
  const calls = [];
  if (orders.ship && store.position.shipments.length) calls.push({ name: "ship_orders", arguments: { action: "ship",
    speed: orders.ship } });
  if (orders.withdraw && store.position.money.wallet > 0) calls.push({ name: "withdraw", arguments: {} });
  if (Number(orders.list) > 0) calls.push(...listings(store, store.position.stock, Number(orders.list))
    .map(({ call }) => call));
  if (calls.length) await store.take(calls, "Standing orders of the morning.");
  for (const rule of orders.rules.filter((each) => !each.stopped)) {
    const row = (await goodsBought(store)).find((each) => each.sku === rule.sku);
    if (!row || row.held + row.coming >= rule.below) continue;
    await reorder(store, rule, row);
    keepStandingOrders(store, { ...standingOrders(store), rules: standingOrders(store).rules.map((each) =>
      (each.sku === rule.sku ? rule : each)) });
  }
}

export function goodsBought(store) {
  return ask(`${store.path}/turns/${store.turn}/bought`);
}

// Bids what was paid last, then the limit; takes any quote at or below the limit; else stops and says why.
async function reorder(store, rule, row) {
  const bids = [Math.min(row.paid, rule.limit)];
  if (bids[0] < rule.limit) bids.push(rule.limit);
  let answer;
  for (const price of bids) {
    answer = await write(store, rule, row, { action: "offer", price });
    if (answer.decision !== "Offer" || answer.price <= rule.limit) break;
  }
  if (answer.decision === "Offer" && answer.price <= rule.limit) answer = await write(store, rule, row,
    { action: "accept", price: answer.price });
  conclude(store, rule, row, answer);
}

async function write(store, rule, row, action) {
  const letter = bargainLetter([{ ...action, sku_id: rule.sku, quantity: rule.units }],
    "We would like to order again.");
  const order = `${rule.units} of ${rule.title} when fewer than ${rule.below} are left`;
  const reason = `Standing order: ${order}, for at most ${yuan(rule.limit, 2)}.`;
  const [reply] = await store.take([letterCall([row.email], letter)], reason);
  const answer = (reply.negotiation_responses ?? []).findLast((each) => each.sku_id === rule.sku);
  return answer ?? { decision: "none", error: reply.message === "supplier_bankrupt" ? `${row.supplier} has closed`
    : reply.error ?? `${row.supplier} did not answer the offer` };
}

function conclude(store, rule, row, answer) {
  const { day } = store.position;
  if (answer.order_placed) {
    rule.said = `day ${day}: ${rule.units} ordered from ${row.supplier} at ${yuan(answer.charged_per_unit, 2)}`;
    return;
  }
  const why = answer.error || answer.order_error
    || (answer.decision === "Reject" ? `${row.supplier} walked away`
      : `${row.supplier} asks ${yuan(answer.price, 2)}, above the limit`);
  Object.assign(rule, { stopped: true, said: `stopped on day ${day}: ${why}` });
}
