// A person's move: every button is one of the eighteen tools, with its minutes.

import { meet } from "../components/letter.js";
import { el, put, say, send, trying, yuan } from "./page.js";
import { card } from "./panels.js";
import { Shelves } from "./shelves.js";
import { Standing } from "./standing.js";

const MOST_FOUND = 60; // goods of a list that are shown

export class Player {
  constructor(place, path, moved) {
    this.place = place;
    this.path = path;
    this.moved = moved;
    this.basket = new Map();
    this.found = [];
    this.opened = new Set(["goods"]);
    this.shelves = new Shelves(this);
    this.standing = new Standing(this);
    this.busy = 0;
    place.hidden = false;
  }

  // Calls as one turn, with words that the record keeps; the replies, or nothing where the server refused.
  turn(calls, text = "") {
    return this.alone(async () => {
      const list = [calls].flat();
      const made = await trying(() => send(`${this.path}/act`, { calls: list, text }));
      if (!made) return null;
      const replies = made.replies.map((reply) => JSON.parse(reply));
      const fault = made.errors.find(Boolean) || "";
      say(fault, Boolean(fault));
      this.answers = list.map((call, at) => ({ tool: call.name, minutes: null, arguments: call.arguments, reply: made.replies[at], error: made.errors[at] }));
      this.over = made.over;
      await this.moved(made);
      return replies;
    });
  }

  // One move at a time: a second click would be a second order.
  async alone(work) {
    this.busy += 1;
    this.lock();
    try {
      return await work();
    } finally {
      this.busy -= 1;
      this.lock();
    }
  }

  lock() {
    this.place.setAttribute("aria-busy", String(this.busy > 0));
    for (const button of document.querySelectorAll("button.move")) button.disabled = this.busy > 0;
  }

  call(name, given = {}) {
    return { name, arguments: given };
  }

  nextDay() {
    return this.alone(async () => {
      if (await this.turn(this.call("wait_for_next_day")) && !this.over) await this.standing.morning();
      this.show(this.position); // with what became of the standing orders
    });
  }

  show(position, now = true) {
    this.position = position;
    if (position.ending != null) {
      put(this.place, el("h2", {}, "Your year is over"));
      return;
    }
    const head = [el("h2", {}, "Your move"), el("p", { class: "clock" }, el("strong", {}, position.time), `, ${position.minutes_left} minutes left today.`)];
    if (!now) {
      put(this.place, head[0], el("p", {}, "You are looking at an earlier turn. ", this.button("Back to your desk", () => this.moved())));
      return;
    }
    put(this.place, head, this.daily(position), this.standing.show(), this.goods(), this.letter(), this.shelves.show(position),
      this.answers?.length ? this.section("answers", "What came back", this.answers.map(card)) : null);
  }

  button(text, work, primary = false) {
    return el("button", { type: "button", class: primary ? "move primary" : "move", disabled: this.busy > 0, onclick: () => (this.busy ? null : work()) }, text);
  }

  // A part that stays open or closed while the board is drawn anew.
  section(name, title, ...children) {
    const remember = (event) => this.opened[event.target.open ? "add" : "delete"](name);
    return el("details", { open: this.opened.has(name), ontoggle: remember }, el("summary", {}, title), children);
  }

  daily(position) {
    const ship = (speed, text) => this.button(text, () => this.turn(this.call("ship_orders", { action: "ship", speed })));
    const units = position.shipments.reduce((sum, row) => sum + row.units, 0);
    return el("div", { class: "play-row" },
      this.button("Close the day", () => this.nextDay(), true),
      ship("standard", "Ship all (standard)"), ship("fast", "Ship all fast"), ship("slow", "Ship all slow"),
      this.button("Withdraw", () => this.turn(this.call("withdraw"))),
      el("span", { class: "muted" }, `${units.toLocaleString("en")} units wait to be shipped, ${yuan(position.money.wallet)} in the wallet.`),
      this.button("End the year here", () => this.finish()));
  }

  async finish() {
    if (!window.confirm("End the year for good? What is outstanding is settled, and nothing can be taken back.")) return;
    if (await trying(() => send(`${this.path}/finish`, {}))) await this.moved({ over: true });
  }

  async look(tool, given, keep) {
    const [reply] = (await this.turn(this.call(tool, given))) || [{}];
    keep(reply);
    this.show(this.position);
  }

  goods() {
    const kind = el("select", { "aria-label": "Trade", onchange: (event) => { this.trade = event.target.value; } },
      (this.trades || []).map((trade) => el("option", { value: trade.store_type, selected: trade.store_type === this.trade }, trade.store_name || trade.store_type)));
    const rows = this.found.slice(0, MOST_FOUND).map((product) => el("label", { class: "card" }, el("input", { type: "checkbox", checked: this.basket.has(product.product_id), onchange: (event) => this.pick(product, event.target.checked) }),
      ` ${product.title}, reference ${yuan(product.reference_price, 2)} (${product.category})`));
    return this.section("goods", `Find goods (${this.basket.size} in the basket)`,
      el("div", { class: "play-row" },
        this.button("Look at the market", () => this.look("market_search", {}, (reply) => { this.trades = reply.store_types || []; this.trade = this.trades[0]?.store_type; })),
        this.trades ? [kind,
          this.button("Open a store", () => this.turn(this.call("open_store", { store_type: this.trade, store_name: `${this.trade} corner` }))),
          this.button("List goods", () => this.look("list_products", { store_type: this.trade }, (reply) => { this.found = reply.results || []; meet(this.found.map((row) => ({ sku: row.product_id, title: row.title }))); })),
          this.button("Find suppliers", () => this.look("supplier_search", { store_type: this.trade }, (reply) => { this.suppliersFound = reply.results || []; this.opened.add("letter"); }))] : null),
      this.found.length ? el("div", { class: "scroll", role: "group", "aria-label": "Goods found" }, rows) : el("p", { class: "muted" }, "The market says which trades there are and what they pay; a trade's goods can then be listed and put into the basket."));
  }

  pick(product, on) {
    if (on) this.basket.set(product.product_id, product);
    else this.basket.delete(product.product_id);
    this.show(this.position);
  }

  letter() {
    const category = [...this.basket.values()][0]?.category;
    const addresses = (this.suppliersFound || []).filter((row) => !category || (row.categories_served || []).includes(category));
    const to = el("select", { multiple: true, size: 4, "aria-label": "Suppliers to write to" }, addresses.map((row) => el("option", { value: row.supplier_email }, row.supplier_name || row.supplier_email)));
    const share = el("input", { type: "range", min: 0.1, max: 1.2, step: 0.01, value: 0.5, "aria-label": "Offer over reference price" });
    const units = el("input", { type: "number", min: 1, value: 20, "aria-label": "Units" });
    const words = el("textarea", { "aria-label": "Letter" }, "We would like to order.");
    const sum = el("output", { class: "muted" });
    const goods = [...this.basket.values()];
    const tell = () => {
      const worth = goods.reduce((all, product) => all + product.reference_price * units.value, 0);
      sum.textContent = `${Number(share.value).toFixed(2)} of reference: ${yuan(worth * share.value)} for ${goods.length} goods, ${yuan(worth * (1 - share.value))} margin if sold at reference`;
      share.setAttribute("aria-valuetext", sum.textContent);
    };
    share.addEventListener("input", tell);
    units.addEventListener("input", tell);
    tell();
    const act = (kind) => () => {
      const blocks = goods.map((product) => ({ action: kind, sku_id: product.product_id, ...this.price(kind, product, Number(share.value)), quantity: Number(units.value) }));
      const content = `${words.value}\n\`\`\`negotiate\n${blocks.map((block) => JSON.stringify(block)).join("\n")}\n\`\`\``;
      const uids = [...to.selectedOptions].map((option) => option.value);
      if (!uids.length) return say("Choose at least one supplier.", true);
      return this.turn(this.call("chatbox", { uids, content: goods.length ? content : words.value }));
    };
    if (!this.suppliersFound) return null;
    return this.section("letter", `Write to suppliers (${addresses.length} found)`,
      el("div", { class: "play-row" }, to, words),
      el("div", { class: "play-row" }, el("label", {}, "offer ", share), el("label", {}, "units of each ", units), sum),
      el("div", { class: "play-row" }, this.button("Offer", act("offer"), true), this.button("Accept the last quote", act("accept")), this.button("Walk away", act("reject")),
        el("span", { class: "muted" }, "An offer to several may be accepted by all of them. Each chat below has its own bid.")));
  }

  price(kind, product, share) {
    if (kind === "reject") return {};
    if (kind === "offer") return { price: Number((product.reference_price * share).toFixed(2)) };
    const replies = (this.answers || []).map((answer) => JSON.parse(answer.reply)).flatMap((reply) => reply.responses || [reply]);
    const quotes = replies.flatMap((reply) => reply.negotiation_responses || []);
    const last = quotes.filter((row) => row.sku_id === product.product_id && row.price != null).at(-1);
    return { price: last ? last.price : Number((product.reference_price * share).toFixed(2)) };
  }
}
