// Standing orders: small scripts that send the same calls as the buttons, each as a turn of its own that says so.

import { ask, el, put, trying, yuan } from "./page.js";

export class Standing {
  constructor(player) {
    this.player = player;
    this.place = `standing ${player.path}`;
    const kept = JSON.parse(localStorage.getItem(this.place) || "{}");
    this.ship = kept.ship || "";
    this.withdraw = Boolean(kept.withdraw);
    this.rules = kept.rules || [];
    this.bought = [];
  }

  keep() {
    localStorage.setItem(this.place, JSON.stringify({ ship: this.ship, withdraw: this.withdraw, rules: this.rules }));
  }

  // What is to be done on a morning; one turn for the daily calls, and one or more for each reorder.
  async morning() {
    const calls = [];
    if (this.ship) calls.push(this.player.call("ship_orders", { action: "ship", speed: this.ship }));
    if (this.withdraw) calls.push(this.player.call("withdraw"));
    if (calls.length) await this.player.turn(calls, "Standing orders of the morning.");
    for (const rule of this.rules.filter((each) => !each.stopped)) {
      const row = (await this.stock()).find((each) => each.sku === rule.sku);
      if (row && row.held + row.coming < rule.below) await this.reorder(rule, row);
    }
    this.keep();
  }

  async stock() {
    const turn = this.player.position.turn;
    this.bought = (await trying(() => ask(`${this.player.path}/turns/${turn}/bought`))) || [];
    return this.bought;
  }

  // Bids what was paid last, then the limit; takes any quote at or below the limit; else stops and says why.
  async reorder(rule, row) {
    const bids = [Math.min(row.paid, rule.limit)];
    if (bids[0] < rule.limit) bids.push(rule.limit);
    let answer;
    for (const bid of bids) {
      answer = await this.write(rule, row, { action: "offer", price: bid });
      if (!answer || answer.decision !== "Offer" || answer.price <= rule.limit) break;
    }
    if (answer?.decision === "Offer" && answer.price <= rule.limit) answer = await this.write(rule, row, { action: "accept", price: answer.price });
    this.conclude(rule, row, answer);
  }

  async write(rule, row, action) {
    const block = JSON.stringify({ ...action, sku_id: rule.sku, quantity: rule.units });
    const content = `We would like to order again.\n\`\`\`negotiate\n${block}\n\`\`\``;
    const replies = await this.player.turn([this.player.call("chatbox", { uid: row.email, content })], `Standing order: ${rule.units} of ${rule.title} when fewer than ${rule.below} are left, for at most ${yuan(rule.limit, 2)}.`);
    const reply = replies?.[0];
    if (!reply) return null;
    const answer = (reply.negotiation_responses || []).filter((each) => each.sku_id === rule.sku).at(-1);
    return answer || { decision: "none", error: reply.message === "supplier_bankrupt" ? `${row.supplier} has closed` : reply.error || `${row.supplier} did not answer the offer` };
  }

  conclude(rule, row, answer) {
    const day = this.player.position.day;
    if (answer?.order_placed) {
      rule.said = `day ${day}: ${rule.units} ordered from ${row.supplier} at ${yuan(answer.charged_per_unit, 2)}`;
      return;
    }
    const why = !answer ? "the call was not answered" : answer.error || answer.order_error
      || (answer.decision === "Reject" ? `${row.supplier} walked away` : `${row.supplier} asks ${yuan(answer.price, 2)}, above the limit`);
    rule.stopped = true;
    rule.said = `stopped on day ${day}: ${why}`;
  }

  show() {
    const ship = el("select", { "aria-label": "Ship each morning", onchange: (event) => { this.ship = event.target.value; this.keep(); } },
      [["", "do not ship"], ["standard", "ship all (standard)"], ["fast", "ship all fast"], ["slow", "ship all slow"]].map(([value, text]) => el("option", { value, selected: value === this.ship }, text)));
    const withdraw = el("label", {}, el("input", { type: "checkbox", checked: this.withdraw, onchange: (event) => { this.withdraw = event.target.checked; this.keep(); } }), " withdraw");
    return this.player.section("standing", `Standing orders, each morning (${Number(Boolean(this.ship)) + Number(this.withdraw) + this.rules.filter((rule) => !rule.stopped).length} at work)`,
      el("div", { class: "play-row" }, ship, withdraw), this.reorders());
  }

  reorders() {
    const place = el("div", {});
    const draw = () => put(place, this.rules.length ? el("ul", { class: "rules" }, this.rules.map((rule) => this.line(rule, draw))) : null, this.form(draw));
    const goods = () => JSON.stringify(this.bought.map(({ sku, supplier, paid }) => [sku, supplier, paid]));
    const drawn = goods();
    draw();
    this.stock().then(() => goods() !== drawn && draw()); // what is typed meanwhile stays
    return place;
  }

  line(rule, draw) {
    const told = rule.said ? el("span", { class: rule.stopped ? "bad" : "muted" }, ` ${rule.said}.`) : null;
    const again = () => { rule.stopped = false; rule.said = ""; this.keep(); draw(); };
    const drop = () => { this.rules = this.rules.filter((each) => each !== rule); this.keep(); draw(); };
    return el("li", {}, `${rule.title}: ${rule.units} units when fewer than ${rule.below} are left, for at most ${yuan(rule.limit, 2)} each.`, told,
      rule.stopped ? this.player.button("Try again", again) : null, el("button", { type: "button", "aria-label": `Drop the order of ${rule.title}`, onclick: drop }, "Drop"));
  }

  form(draw) {
    if (!this.bought.length) return el("p", { class: "muted" }, "What you have bought once can be reordered here.");
    const goods = el("select", { "aria-label": "Goods to reorder" }, this.bought.map((row) => el("option", { value: row.sku }, `${row.title} (last from ${row.supplier} at ${yuan(row.paid, 2)})`)));
    const below = el("input", { type: "number", min: 1, value: 10, "aria-label": "Reorder when fewer are left" });
    const units = el("input", { type: "number", min: 1, value: 20, "aria-label": "Units to reorder" });
    const limit = el("input", { type: "number", min: 0.01, step: 0.01, value: this.bought[0].paid, "aria-label": "Highest price of a unit" });
    goods.addEventListener("change", () => { limit.value = this.bought.find((row) => row.sku === goods.value).paid; });
    const add = () => {
      const row = this.bought.find((each) => each.sku === goods.value);
      this.rules = [...this.rules.filter((rule) => rule.sku !== row.sku), { sku: row.sku, title: row.title, below: Number(below.value), units: Number(units.value), limit: Number(limit.value) }];
      this.keep();
      draw();
    };
    return el("div", { class: "play-row" }, goods, el("label", {}, "below ", below), el("label", {}, "order ", units), el("label", {}, "at most ¥ ", limit), this.player.button("Reorder so", add));
  }
}
