// The panels of one position: money, stores, warehouse, goods on the way, calendar, memory, and the turn itself.

import { callCard } from "../components/call_card.js";
import { meet } from "../components/letter.js";
import { el, put, table, yuan } from "./page.js";

const place = (id) => document.getElementById(id);

export function showPosition(position, truths, byNews) {
  meet([...position.stock, ...position.coming, ...position.stores.flatMap((store) => store.shelf)]);
  money(position);
  stores(position, truths);
  stock(position);
  coming(position);
  shipments(position);
  calendar(position, byNews);
  memory(position);
  lastTurn(position.last);
}

function money({ money: pots }) {
  const line = (name, amount) => [el("dt", { class: `key k-${name}` }, name), el("dd", {}, yuan(amount, 2))];
  const moved = Object.entries(pots.moved).map(([name, by]) => [name, yuan(by, 2)]);
  put(place("money"), el("h2", {}, "Money"),
    el("dl", { class: "pots" }, line("bank", pots.bank), line("wallet", pots.wallet), line("escrow", pots.escrow),
      el("dt", { class: "sum" }, "total assets"), el("dd", { class: "sum" }, yuan(pots.total, 2))),
    el("h3", { class: "muted" }, "moved since yesterday morning"),
    table(["channel", "yuan"], moved, "Nothing moved."));
}

function stores({ stores: all }, truths) {
  const open = all.filter((store) => store.is_open);
  const closed = all.length - open.length;
  put(place("stores"), el("h2", {}, `Stores (${open.length})`),
    open.length ? open.map((store) => storeCard(store, truths[store.id])) : el("p", { class: "muted" }, "No store is open."),
    closed ? el("p", { class: "muted" }, `${closed} closed earlier.`) : null);
}

function storeCard(store, truth) {
  const known = new Map((truth || []).map((row) => [row.sku, row]));
  const heads = ["goods", "category", "price", "× ref.", "units", "sold yesterday", "sold", "returned"];
  const rows = store.shelf.map((row) => {
    const cells = [row.title, row.category, yuan(row.price, 2), (row.price / row.reference).toFixed(2), row.units, row.sold_yesterday, row.sold, row.returned];
    const hidden = known.get(row.sku);
    return hidden ? [...cells, yuan(hidden.floor, 2), hidden.best_ratio.toFixed(2)] : cells;
  });
  const about = `${store.type}, open since ${store.opened}, reputation ${store.reputation.toFixed(3)}, ${store.shipped.toLocaleString("en")} units shipped`;
  const sale = store.promotion ? ` In ${store.promotion} with ${Math.round(store.discount * 100)}% off.` : "";
  return el("details", { class: "card", open: store.shelf.length < 40 },
    el("summary", {}, el("strong", {}, store.name), ` ${about}.${sale}`),
    table(known.size ? [...heads, "floor", "best × ref."] : heads, rows, "The shelf is empty."));
}

function stock({ stock: rows }) {
  const units = rows.reduce((sum, row) => sum + row.held, 0);
  put(place("stock"), el("h2", {}, `Warehouse and shelves (${units.toLocaleString("en")} units)`),
    table(["goods", "category", "unlisted", "all", "unit cost", "to 30 days", "to 60", "to 90", "older"],
      rows.map((row) => [row.title, row.category, row.free, row.held, yuan(row.cost, 2), ...row.ages]), "Nothing is in stock."));
}

function coming({ coming: orders }) {
  put(place("coming"), el("h2", {}, `On the way (${orders.length})`),
    table(["goods", "units", "at", "ordered"], orders.map((order) => [order.title, order.units, yuan(order.unit_price, 2), order.placed.slice(0, 10)]), "No order is under way."));
}

function shipments({ shipments: rows }) {
  put(place("shipments"), el("h2", {}, `To be shipped (${rows.length})`),
    table(["goods", "units", "sold", "days left"], rows.map((row) => [row.title, row.units, row.sold_on, row.days_left]), "Nothing waits to be shipped."));
}

// By news: what its player has been told, which leaves open how long it lasts.
function calendar({ events, promotions, news }, byNews) {
  const [event, sale] = byNews ? ["Began today", "Promotions announced so far"] : ["Today", "Promotions now or soon"];
  const items = news.flatMap((day) => day.news.map((item) => item.content));
  put(place("calendar"), el("h2", {}, "Calendar and news"),
    el("p", {}, events.length ? `${event}: ${events.join(", ")}.` : byNews ? "No news of an event today." : "No event today."),
    el("p", {}, promotions.length ? `${sale}: ${promotions.join(", ")}.` : byNews ? "No promotion has been announced." : "No promotion within a week."),
    items.length ? el("ul", {}, items.map((item) => el("li", {}, item))) : null);
}

function memory({ memory: notes }) {
  put(place("memory"), el("h2", {}, `Memory (${Object.keys(notes).length})`),
    Object.entries(notes).map(([title, text]) => el("details", { class: "card" }, el("summary", {}, title), el("pre", {}, text))),
    Object.keys(notes).length ? null : el("p", { class: "muted" }, "No note has been kept."));
}

function lastTurn(turn) {
  if (!turn) {
    put(place("last"), el("h2", {}, "Before the first turn"), el("p", { class: "muted" }, "Nobody has done anything yet."));
    return;
  }
  put(place("last"), el("h2", {}, `Turn ${turn.number.toLocaleString("en")}`),
    turn.evicted ? el("p", { class: "muted" }, `${turn.evicted.toLocaleString("en")} tokens had left the model's context.`) : null,
    turn.reasoning ? el("div", { class: "quote thought" }, turn.reasoning) : null,
    turn.text ? el("div", { class: "quote" }, turn.text) : null,
    turn.cards.map((call) => card(call, turn.number)),
    turn.cards.length ? null : el("p", { class: "muted" }, "No tool was called."));
}

export function card(call, turn) {
  const whole = `${location.pathname.replace("/runs/", "/api/runs/")}/turns/${turn}/raw`;
  return callCard({
    title: call.tool.replaceAll("_", " "), notes: call.minutes == null ? [] : [`${call.minutes} min`], tool: call.tool, given: call.arguments, reply: call.reply, error: call.error,
    more: call.shortened ? el("a", { href: whole, target: "_blank", rel: "noopener" }, "There is more: the whole turn") : null,
  });
}
