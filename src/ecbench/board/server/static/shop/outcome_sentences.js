// What an action did, in one sentence: for the line under the bar, which screen readers announce.

import { yuan } from "../../components/dom.js";
import { titleOf } from "../../components/letter.js";

export function outcomeSentence(call, reply, error) {
  if (error && !(call.name === "chatbox" && reply?.negotiation_responses?.some((each) => each.decision))) return `${sentenceOf[call.name]?.failed ?? "Refused"}: ${error}.`.replace(/\.\.$/, ".");
  return sentenceOf[call.name]?.done(reply, call.arguments) ?? "";
}

const ANSWERED = "The supplier has answered.";

function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

const sentenceOf = {
  market_search: { failed: "The market has no answer", done: () => "The market was looked up; it stays on the Market screen." },
  list_products: { failed: "No goods found", done: (reply) => `${count(reply.total, "product")} found; they stay on the Goods screen.` },
  supplier_search: { failed: "No suppliers found", done: (reply) => `${count(reply.count, "supplier")} found.` },
  open_store: { failed: "The store was not opened", done: (_, given) => `${given.store_name} is open.` },
  close_store: { failed: "The store was not closed", done: () => "The store is closed." },
  set_prices: { failed: "Prices were not all changed", done: (_, given) => `${count(given.prices.length, "price")} changed, from the next day's sales on.` },
  join_promotion: { failed: "The promotion was not joined", done: (_, given) => `Joined ${given.event_name} with ${Math.round(given.discount_rate * 100)}% off.` },
  publish_to_store: { failed: "Not everything was listed", done: (_, given) => `${count(given.plan.length, "product")} listed.` },
  return_to_warehouse: { failed: "Not everything was taken back", done: (_, given) => `${count(given.items.length, "product")} taken back to the warehouse.` },
  ship_orders: { failed: "Nothing was shipped", done: (reply) => (reply.shipped_count == null ? "" : `${count(reply.shipped_count, "order")} shipped for ${yuan(reply.total_shipping_cost, 2)} freight; ${yuan(reply.total_revenue_into_escrow, 2)} settles later.`) },
  withdraw: { failed: "Nothing was withdrawn", done: (reply) => `${yuan(reply.withdrawn ?? reply.amount, 2)} moved to the bank.` },
  chatbox: { failed: "The letter was not answered as you wished", done: (reply) => lettersSentence(reply.responses ?? [reply]) },
  wait_for_next_day: { failed: "The day was not closed", done: (reply) => `Day ${reply.day} begins.` },
};

const FEW = 4; // decisions that are named one by one

// Many decisions in figures: the thread and the bargains name each.
function decisionsInFigures(decided) {
  const [ordered, asked, ended, failed] = [[], [], [], []];
  for (const each of decided) (each.order_placed ? ordered : each.order_placed === false || each.error ? failed : each.decision === "Offer" ? asked : ended).push(each);
  return [
    ordered.length ? `Ordered ${count(ordered.length, "product")} for ${yuan(ordered.reduce((sum, each) => sum + each.charged_total, 0), 2)}.` : "",
    asked.length ? `For ${asked.length} the supplier asks another price.` : "",
    ended.length ? `For ${ended.length} the talks have ended.` : "",
    failed.length ? `${failed.length} failed: ${failed[0].order_error || failed[0].error}.` : "",
  ].filter(Boolean).join(" ");
}

// Answers of several suppliers to one letter: those that only wrote are counted.
function lettersSentence(answers) {
  const sentences = answers.map(letterSentence);
  const plain = sentences.filter((each) => each === ANSWERED).length;
  const others = sentences.filter((each) => each !== ANSWERED);
  return [plain > 1 ? `${plain} suppliers have answered.` : plain ? ANSWERED : "", ...others].filter(Boolean).join(" ");
}

// What a supplier's answer means: an accepted price that was not ordered is not a deal.
function letterSentence(answer) {
  if (answer.message === "supplier_bankrupt") return "The supplier has closed for good.";
  if (answer.negotiation_responses?.length > FEW) return decisionsInFigures(answer.negotiation_responses);
  const decided = (answer.negotiation_responses ?? []).map((each) => {
    const goods = titleOf(each.sku_id);
    if (each.order_placed) return `Ordered ${goods}: ${yuan(each.charged_total, 2)} paid.`;
    if (each.order_placed === false) return `${goods}: the price was agreed, but nothing was ordered: ${each.order_error}.`;
    if (each.decision === "Offer") return `${goods}: the supplier asks ${yuan(each.price, 2)}.`;
    if (each.decision === "Reject") return `${goods}: the talks have ended.`;
    return each.error ? `${goods}: ${each.error}.` : "";
  });
  return decided.length ? decided.join(" ") : ANSWERED;
}
