// What a player does: buttons that carry out calls and state what they cost before, letters, and standing orders.

import { Button, Confirm, html, yuan } from "../../../../components/static/kit.js";
import { keep, kept } from "./store.js";

const ASKED_FROM = 0.3; // share of the bank; what costs more is asked about once
const NO_ORDERS = { ship: "", withdraw: false, list: "" };
const WORDS = { offer: "Here is our offer.", accept: "We accept your price.",
  reject: "Thank you, we shall look elsewhere." };
export const PRICE_LIST = "Hello, we run a store for your kind of goods. Please send us your price list.";

export function call(name, given = {}) {
  return { name, arguments: given };
}

// `calls` are carried out as one turn when the button is pressed. `cost` is what they pay at once, `done` hears the
// replies. A button that cannot be used now keeps the focus: `disabled` would drop it.
/** @param {Record<string, any>} props */
export function ActionButton({ store, label, calls, cost = 0, primary = false, done = (_replies) => {},
  disabled = false }) {
  const minutes = calls.reduce((sum, each) => sum + (store.terms.minutes[each.name] ?? 0), 0);
  const price = cost > 0 ? yuan(cost, cost < 100 ? 2 : 0) : "";
  const late = minutes > 0 && minutes >= store.position.minutes_left;
  const { bank } = store.position.money;
  const still = disabled || store.busy > 0;
  const carryOut = async () => {
    const replies = await store.act(calls);
    if (replies) done(replies);
  };
  const notes = [minutes ? `${minutes} min` : "", price, late ? "tomorrow" : ""].filter(Boolean).join(", ");
  const look = { class: primary ? "act primary" : "act", "aria-disabled": still,
    title: late ? "This runs into tomorrow morning: what it does happens then." : null,
    label: html`${label} ${notes && html`<small class=${late ? "late" : ""}>${notes}</small>`}` };
  if (cost <= Math.max(0, ASKED_FROM * bank)) return html`<${Button} ...${look} act=${() => still || carryOut()} />`;
  const share = Math.round((100 * cost) / Math.max(bank, 1));
  return html`<${Confirm} ...${look} yes="Do it" act=${carryOut}
    question=${`This can take up to ${price} of the ${yuan(bank)} in the bank (${share}%).`} />`;
}

// A letter of bargaining: `actions` is a list of { action, sku_id, price, quantity }; `words` go before them.
export function bargainLetter(actions, words = "") {
  const opening = words || [...new Set(actions.map((each) => WORDS[each.action]))].join(" ");
  return `${opening}\n\`\`\`negotiate\n${actions.map((each) => JSON.stringify(each)).join("\n")}\n\`\`\``;
}

export function letterCall(emails, content) {
  return call("chatbox", emails.length === 1 ? { uid: emails[0], content } : { uids: emails, content });
}

// Free units of the warehouse on the shelves of the stores that sell them: a call for each store. A product that is
// listed keeps its price unless `reprice`; others take a percentage of the reference price. `formerOf` gives the price
// that is shown crossed out, where the rules allow one.
export function listings(store, rows, percent, reprice = false, formerOf = (_price) => null) {
  return store.position.stores.filter((shop) => shop.is_open).map((shop) => {
    const prices = new Map(reprice ? [] : shop.shelf.map((row) => [row.sku, row.price]));
    const goods = rows.filter((row) => row.free && row.store_type === shop.store_type);
    const plan = goods.map((row) => {
      const price = prices.get(row.sku) ?? Number(((row.reference * percent) / 100).toFixed(2));
      const was = formerOf(price);
      return { product_id: row.sku, quantity: row.free, retail_price: price, ...(was ? { was } : {}) };
    });
    return { shop, goods, call: call("publish_to_store", { store_id: shop.id, plan }) };
  }).filter(({ goods }) => goods.length);
}

// What is done each morning by itself, kept in this browser: a freight speed, whether to withdraw, and at which
// percentage of the reference price new goods are listed. The calls are those of the buttons.
export function standingOrders(store) {
  return { ...NO_ORDERS, ...kept(store, "standing orders") };
}

export function keepStandingOrders(store, change) {
  keep(store, "standing orders", { ...standingOrders(store), ...change });
}

// Carries the orders out on a morning, in one turn.
export async function carryOut(store) {
  const orders = standingOrders(store);
  const { shipments, money, stock } = store.position;
  const calls = [
    ...(orders.ship && shipments.length ? [call("ship_orders", { action: "ship", speed: orders.ship })] : []),
    ...(orders.withdraw && money.wallet > 0 ? [call("withdraw")] : []),
    ...(Number(orders.list) > 0 ? listings(store, stock, Number(orders.list)).map((each) => each.call) : []),
  ];
  if (calls.length) await store.take(calls, "Standing orders of the morning.");
}
