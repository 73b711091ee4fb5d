// The shelf editor: a price is a slider over what the SKU has sold at which price so far.

import { ask, el, put, say, svg, trying, yuan } from "./page.js";

const WIDTH = 360;
const HEIGHT = 150;
const LOWEST = 0.3; // times the reference price
const HIGHEST = 2.5;

export class Shelves {
  constructor(player) {
    this.player = player;
    this.prices = new Map(); // chosen and not yet set, by SKU
    this.history = {}; // by store and SKU
  }

  async load(store) {
    this.history[store] = await trying(() => ask(`${this.player.path}/prices/${encodeURIComponent(store)}`));
  }

  show(position) {
    const open = position.stores.filter((store) => store.is_open);
    if (!open.length) return null;
    const free = position.stock.filter((row) => row.free > 0);
    const own = open.find((store) => store.id === this.store) || open[0];
    if (this.store !== own.id) this.choose(own);
    const store = el("select", { "aria-label": "Store", onchange: (event) => { this.choose(open.find((each) => each.id === event.target.value)); this.player.show(position); } },
      open.map((each) => el("option", { value: each.id, selected: each.id === own.id }, each.name)));
    return this.player.section("shelves", `Shelves (${free.length} goods wait in the warehouse)`,
      el("div", { class: "play-row" }, store, this.publisher(own, free), this.player.button("Close the store", () => this.player.turn(this.player.call("close_store", { store_id: own.id })))),
      this.promotion(own, position),
      own.shelf.length ? this.editor(own, position) : el("p", { class: "muted" }, "The shelf is empty."));
  }

  choose(store) {
    this.store = store.id;
    this.sku = store.shelf[0]?.sku;
    this.prices.clear();
  }

  publisher(store, free) {
    const ratio = el("input", { type: "number", min: 0.1, max: 5, step: 0.05, value: 1.05, "aria-label": "Price over reference" });
    const publish = () => {
      const plan = free.map((row) => ({ product_id: row.sku, quantity: row.free, retail_price: Number((row.reference * ratio.value).toFixed(2)) }));
      return plan.length ? this.player.turn(this.player.call("publish_to_store", { store_id: store.id, plan })) : say("Nothing is free to be listed.", true);
    };
    return [this.player.button("Put all on the shelf", publish), el("label", {}, "at ", ratio, " of reference")];
  }

  promotion(store, position) {
    if (!position.promotions.length) return null;
    const sale = el("select", { "aria-label": "Promotion" }, position.promotions.map((name) => el("option", { value: name }, name)));
    const discount = el("input", { type: "number", min: 0.01, max: 0.9, step: 0.05, value: 0.2, "aria-label": "Discount" });
    const join = () => this.player.turn(this.player.call("join_promotion", { store_id: store.id, event_name: sale.value, discount_rate: Number(discount.value) }));
    return el("div", { class: "play-row" }, sale, el("label", {}, "discount ", discount), this.player.button("Join the promotion", join));
  }

  editor(store, position) {
    const row = store.shelf.find((each) => each.sku === this.sku) || store.shelf[0];
    const cost = position.stock.find((each) => each.sku === row.sku)?.cost;
    const goods = el("select", { "aria-label": "Goods to price", onchange: (event) => { this.sku = event.target.value; this.player.show(position); } },
      store.shelf.map((each) => el("option", { value: each.sku, selected: each.sku === row.sku }, each.title)));
    const place = el("div", { class: "price-chart" });
    const told = el("output", {});
    const slider = el("input", { type: "range", class: "price", min: (LOWEST * row.reference).toFixed(2), max: (HIGHEST * row.reference).toFixed(2), step: "0.01", value: this.prices.get(row.sku) ?? row.price, "aria-label": `Price of ${row.title}` });
    const tell = () => {
      const price = Number(slider.value);
      const margin = cost ? `, ${yuan(price - cost, 2)} over what a unit cost` : "";
      told.textContent = `${yuan(price, 2)}, ${(price / row.reference).toFixed(2)} of reference${margin}`;
      slider.setAttribute("aria-valuetext", told.textContent);
      if (price !== row.price) this.prices.set(row.sku, price);
      else this.prices.delete(row.sku);
      set.textContent = `Set ${this.prices.size || "no"} new ${this.prices.size === 1 ? "price" : "prices"}`;
      set.hidden = !this.prices.size;
      draw();
    };
    const draw = () => put(place, chart(this.history[store.id]?.[row.sku] || [], row.reference, Number(slider.value)));
    const set = this.player.button("", () => this.send(store), true);
    slider.addEventListener("input", tell);
    tell();
    this.load(store.id).then(draw); // and no more: a later editor may have a new price by now
    return el("div", {}, el("div", { class: "play-row" }, goods, slider, told, set), place);
  }

  async send(store) {
    const prices = [...this.prices].map(([sku, price]) => ({ product_id: sku, price }));
    if (await this.player.turn(this.player.call("set_prices", { store_id: store.id, prices }))) this.prices.clear();
    this.player.show(this.player.position);
  }
}

// Days put together by price: what a day at that price sold on average.
function byPrice(days) {
  const found = new Map();
  for (const { price, units } of days) {
    const known = found.get(price) || { price, days: 0, units: 0 };
    found.set(price, { price, days: known.days + 1, units: known.units + units });
  }
  return [...found.values()].map((row) => ({ ...row, rate: row.units / row.days })).sort((a, b) => a.price - b.price);
}

export function chart(days, reference, price) {
  const rows = byPrice(days);
  const low = Math.min(LOWEST * reference, ...rows.map((row) => row.price));
  const high = Math.max(HIGHEST * reference, ...rows.map((row) => row.price));
  const most = Math.max(1, ...rows.map((row) => row.rate));
  const x = (amount) => 30 + ((amount - low) / (high - low)) * (WIDTH - 40);
  const y = (rate) => HEIGHT - 28 - (rate / most) * (HEIGHT - 50);
  const said = rows.map((row) => `${yuan(row.price, 2)} sold ${row.rate.toFixed(1)} a day over ${row.days} days`).join("; ");
  const upright = (name, amount, text, top) => [svg("line", { class: name, x1: x(amount), x2: x(amount), y1: top, y2: HEIGHT - 28 }),
    svg("text", { x: x(amount), y: top - 3, "text-anchor": "middle" }, text)];
  const note = rows.length ? null : svg("text", { x: WIDTH / 2, y: HEIGHT / 2, "text-anchor": "middle" }, "It has not been on a shelf for a day yet.");
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": said ? `Past prices and sales: ${said}.` : "No sales yet." },
    svg("line", { class: "axis", x1: 30, x2: WIDTH - 10, y1: HEIGHT - 28, y2: HEIGHT - 28 }),
    svg("text", { x: 26, y: y(most) + 4, "text-anchor": "end" }, most.toFixed(most < 10 ? 1 : 0)),
    svg("text", { x: 26, y: HEIGHT - 24, "text-anchor": "end" }, "0"),
    svg("text", { x: 30, y: HEIGHT - 12 }, yuan(low, 2)),
    svg("text", { x: WIDTH - 10, y: HEIGHT - 12, "text-anchor": "end" }, yuan(high, 2)),
    svg("text", { x: WIDTH / 2, y: HEIGHT - 2, "text-anchor": "middle" }, "price; dots: units a day at it, larger for more days"),
    upright("reference", reference, "reference", 34), upright("chosen", price, "your price", 12), note,
    rows.map((row) => svg("circle", { class: "sold", cx: x(row.price), cy: y(row.rate), r: Math.min(9, 2.5 + Math.sqrt(row.days)) }, svg("title", {}, `${yuan(row.price, 2)}: ${row.rate.toFixed(1)} a day over ${row.days} days`))));
}
