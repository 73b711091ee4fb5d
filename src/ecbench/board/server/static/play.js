// A person's move: every button is one of the eighteen tools, with its minutes.

import { el, put, say, send, trying, yuan } from "./page.js";
import { card } from "./panels.js";

export class Player {
  constructor(place, path, tools, moved) {
    this.place = place;
    this.path = path;
    this.moved = moved;
    this.minutes = Object.fromEntries(tools.map((tool) => [tool.function.name, tool.function.description]));
    this.basket = new Map();
    this.found = [];
    this.standing = new Set(JSON.parse(sessionStorage.getItem(`standing ${path}`) || "[]"));
    place.hidden = false;
  }

  async turn(...calls) {
    const made = await trying(() => send(`${this.path}/act`, { calls }));
    if (!made) return null;
    const replies = made.replies.map((reply) => JSON.parse(reply));
    const fault = replies.find((reply) => reply.error);
    say(fault ? String(fault.error) : "", Boolean(fault));
    this.answers = calls.map((call, at) => ({ tool: call.name, minutes: 0, arguments: call.arguments, reply: made.replies[at], ok: !replies[at].error }));
    await this.moved(made);
    return replies;
  }

  call(name, given = {}) {
    return { name, arguments: given };
  }

  async nextDay() {
    const calls = [];
    if (this.standing.has("ship")) calls.push(this.call("ship_orders", { action: "ship" }));
    if (this.standing.has("withdraw")) calls.push(this.call("withdraw"));
    await this.turn(...calls, this.call("wait_for_next_day"));
  }

  show(position) {
    this.position = position;
    const over = position.ending != null;
    put(this.place, el("h2", {}, "Your move"), el("p", {}, `${position.time}, ${position.minutes_left} minutes left today.`),
      over ? el("p", {}, "The year is over. ", el("a", { href: "/" }, "See it on the shelf.")) : [this.daily(), this.goods(position), this.letter(position), this.shelves(position)],
      this.answers?.length ? el("details", {}, el("summary", {}, "What came back"), this.answers.map(card)) : null);
  }

  button(text, work, primary = false) {
    return el("button", { type: "button", class: primary ? "primary" : null, onclick: work }, text);
  }

  daily() {
    const order = (name, text) => el("label", {}, el("input", { type: "checkbox", checked: this.standing.has(name), onchange: (event) => this.keep(name, event.target.checked) }), text);
    return el("div", { class: "play-row" },
      this.button("Close the day", () => this.nextDay(), true),
      this.button("Ship all (standard)", () => this.turn(this.call("ship_orders", { action: "ship" }))),
      this.button("Ship all fast", () => this.turn(this.call("ship_orders", { action: "ship", speed: "fast" }))),
      this.button("Ship all slow", () => this.turn(this.call("ship_orders", { action: "ship", speed: "slow" }))),
      this.button("Withdraw", () => this.turn(this.call("withdraw"))),
      el("span", { class: "muted" }, "each morning:"), order("ship", "ship all"), order("withdraw", "withdraw"));
  }

  keep(name, on) {
    this.standing[on ? "add" : "delete"](name);
    sessionStorage.setItem(`standing ${this.path}`, JSON.stringify([...this.standing]));
  }

  goods() {
    const kind = el("select", { "aria-label": "Trade" }, (this.trades || []).map((trade) => el("option", { value: trade.store_type }, trade.store_name || trade.store_type)));
    const chosen = () => kind.value || this.trade;
    const rows = this.found.slice(0, 60).map((product) => el("label", { class: "card" }, el("input", { type: "checkbox", checked: this.basket.has(product.product_id), onchange: (event) => this.pick(product, event.target.checked) }),
      ` ${product.title || product.product_name || product.product_id}, reference ${yuan(product.reference_price, 2)} (${product.category})`));
    return el("details", { open: this.found.length > 0 && !this.suppliersFound }, el("summary", {}, `Find goods (${this.basket.size} in the basket)`),
      el("div", { class: "play-row" },
        this.button("Look at the market", async () => { const [reply] = (await this.turn(this.call("market_search"))) || [{}]; this.trades = reply.store_types || []; this.trade = this.trades[0]?.store_type; this.show(this.position); }),
        kind,
        this.button("Open a store", () => this.turn(this.call("open_store", { store_type: chosen(), store_name: `${chosen()} corner` }))),
        this.button("List goods", async () => { const [reply] = (await this.turn(this.call("list_products", { store_type: chosen() }))) || [{}]; this.found = reply.results || []; this.show(this.position); }),
        this.button("Find suppliers", async () => { const [reply] = (await this.turn(this.call("supplier_search", { store_type: chosen() }))) || [{}]; this.suppliersFound = reply.results || []; this.show(this.position); })),
      el("div", { class: "scroll" }, rows));
  }

  pick(product, on) {
    if (on) this.basket.set(product.product_id, product);
    else this.basket.delete(product.product_id);
    this.show(this.position);
  }

  letter() {
    const category = [...this.basket.values()][0]?.category;
    const addresses = (this.suppliersFound || []).filter((row) => !category || (row.categories_served || []).includes(category));
    const to = el("select", { multiple: true, size: 4, "aria-label": "Suppliers to write to" }, addresses.map((row) => el("option", { value: row.supplier_email }, `${row.supplier_name || row.supplier_email}`)));
    const share = el("input", { type: "range", min: 0.1, max: 1.2, step: 0.01, value: 0.5, "aria-label": "Offer over reference price" });
    const units = el("input", { type: "number", min: 1, value: 20, "aria-label": "Units" });
    const words = el("textarea", { "aria-label": "Letter" }, "We would like to order.");
    const sum = el("span", { class: "muted" });
    const tell = () => {
      const goods = [...this.basket.values()];
      const cost = goods.reduce((all, product) => all + product.reference_price * share.value * units.value, 0);
      const gain = goods.reduce((all, product) => all + product.reference_price * (1 - share.value) * units.value, 0);
      sum.textContent = `${Number(share.value).toFixed(2)} of reference: ${yuan(cost)} for ${goods.length} goods, ${yuan(gain)} margin if sold at reference`;
    };
    share.addEventListener("input", tell);
    units.addEventListener("input", tell);
    tell();
    const act = (kind) => () => {
      const blocks = [...this.basket.values()].map((product) => ({ action: kind, sku_id: product.product_id, ...this.price(kind, product, Number(share.value)), quantity: Number(units.value) }));
      const content = `${words.value}\n\`\`\`negotiate\n${blocks.map((block) => JSON.stringify(block)).join("\n")}\n\`\`\``;
      const uids = [...to.selectedOptions].map((option) => option.value);
      if (!uids.length) return say("Choose at least one supplier.", true);
      return this.turn(this.call("chatbox", { uids, content: this.basket.size ? content : words.value }));
    };
    return el("details", { open: Boolean(this.suppliersFound) }, el("summary", {}, "Write to suppliers"),
      el("div", { class: "play-row" }, to, words),
      el("div", { class: "play-row" }, share, units, sum),
      el("div", { class: "play-row" }, this.button("Offer", act("offer"), true), this.button("Accept the last quote", act("accept")), this.button("Walk away", act("reject"))));
  }

  price(kind, product, share) {
    if (kind === "reject") return {};
    if (kind === "offer") return { price: Number((product.reference_price * share).toFixed(2)) };
    const quotes = (this.answers || []).flatMap((answer) => JSON.parse(answer.reply).negotiation_responses || []);
    const last = quotes.filter((row) => row.sku_id === product.product_id && row.price != null).at(-1);
    return { price: last ? last.price : Number((product.reference_price * share).toFixed(2)) };
  }

  shelves(position) {
    const open = position.stores.filter((store) => store.is_open);
    const free = position.stock.filter((row) => row.free > 0);
    if (!open.length) return null;
    const store = el("select", { "aria-label": "Store" }, open.map((each) => el("option", { value: each.id }, each.name)));
    const ratio = el("input", { type: "number", min: 0.1, max: 5, step: 0.05, value: 1.05, "aria-label": "Price over reference" });
    const reprice = () => {
      const own = open.find((each) => each.id === store.value);
      const prices = own.shelf.map((row) => ({ product_id: row.sku, price: Number((row.reference * ratio.value).toFixed(2)) }));
      return prices.length ? this.turn(this.call("set_prices", { store_id: store.value, prices })) : say("The shelf is empty.", true);
    };
    const sale = el("select", { "aria-label": "Promotion" }, position.promotions.map((name) => el("option", { value: name }, name)));
    const discount = el("input", { type: "number", min: 0.01, max: 0.9, step: 0.05, value: 0.2, "aria-label": "Discount" });
    const join = () => this.turn(this.call("join_promotion", { store_id: store.value, event_name: sale.value, discount_rate: Number(discount.value) }));
    const publish = () => {
      const plan = free.map((row) => ({ product_id: row.sku, quantity: row.free, retail_price: Number((this.reference(row.sku, row.cost) * ratio.value).toFixed(2)) }));
      return plan.length ? this.turn(this.call("publish_to_store", { store_id: store.value, plan })) : say("Nothing is free to be listed.", true);
    };
    return el("details", {}, el("summary", {}, `Shelves (${free.length} goods wait in the warehouse)`),
      el("div", { class: "play-row" }, store, el("label", {}, "price over reference ", ratio), this.button("Put all on the shelf", publish), this.button("Set these prices", reprice),
        this.button("Close the store", () => this.turn(this.call("close_store", { store_id: store.value })))),
      position.promotions.length ? el("div", { class: "play-row" }, sale, el("label", {}, "discount ", discount), this.button("Join the promotion", join)) : null);
  }

  reference(sku, cost) {
    const known = this.found.find((product) => product.product_id === sku) || this.basket.get(sku);
    return known ? known.reference_price : cost * 2;
  }
}
