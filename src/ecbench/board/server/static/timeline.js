// The year as a picture: three pots of money stacked, with the calendar behind them and a cursor.

import { put, svg } from "./page.js";

const WIDTH = 1000;
const HEIGHT = 130;

export function drawYear(place, year, racers, marks) {
  const totals = year.bank.map((bank, day) => Math.max(0, bank) + year.wallet[day] + year.escrow[day]);
  const high = Math.max(1, ...totals, ...racers.flatMap((racer) => racer.curve));
  const x = (day) => (day / Math.max(1, year.days)) * WIDTH;
  const y = (amount) => HEIGHT - (Math.max(0, amount) / high) * (HEIGHT - 8);
  const along = (curve) => curve.map((amount, day) => `${x(day)},${y(amount)}`);
  const spans = year.spans.map((span) => svg("rect", {
    class: `span-${span.kind}`, x: x(span.first), width: Math.max(1.5, x(span.last + 1) - x(span.first)),
    y: span.kind === "overdrawn" ? HEIGHT - 4 : 0, height: span.kind === "overdrawn" ? 4 : HEIGHT,
  }, svg("title", {}, span.name)));
  const layers = [];
  let floor = year.bank.map(() => 0);
  for (const pot of ["bank", "wallet", "escrow"]) {
    const top = year[pot].map((amount, day) => floor[day] + Math.max(0, amount));
    layers.push(svg("path", { class: pot, d: `M${[...along(top), ...along(floor).reverse()].join("L")}Z` }));
    floor = top;
  }
  const lines = racers.map((racer, at) => svg("path", { class: `rival rival-${at + 1}`, d: `M${along(racer.curve).join("L")}` }, svg("title", {}, racer.name)));
  const partings = racers.filter((racer) => racer.parted != null).map((racer) => svg("line", { class: "parted", y1: 0, y2: HEIGHT, x1: x(racer.parted), x2: x(racer.parted) }, svg("title", {}, `${racer.name}: other calls from day ${racer.parted} on`)));
  const dots = marks.map((mark) => svg("circle", { class: mark.hidden ? "mark hidden-truth" : "mark", cx: x(mark.day), cy: mark.hidden ? HEIGHT - 18 : HEIGHT - 8, r: 3 }, svg("title", {}, `day ${mark.day}, ${mark.mode.replaceAll("_", " ")}: ${mark.what}`)));
  place.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  place.setAttribute("aria-label", `Assets by day, up to ¥${Math.round(high).toLocaleString("en")}`);
  put(place, spans, layers, lines, dots, partings, cursor());
}

function cursor() {
  return ["cursor-ground", "cursor"].map((name) => svg("line", { class: name, y1: 0, y2: HEIGHT, x1: 0, x2: 0 }));
}

// What the engine would end the year with from each position on, over what the year had, in the same yuan.
export function drawWorth(place, year, values) {
  const totals = year.bank.map((bank, day) => bank + year.wallet[day] + year.escrow[day]);
  const high = Math.max(1, ...totals, ...values.map((point) => point.value + point.band));
  const at = (day, amount) => `${(day / Math.max(1, year.days)) * WIDTH},${HEIGHT - (Math.max(0, amount) / high) * (HEIGHT - 8)}`;
  const edge = (side) => values.map((point) => at(point.day, point.value + side * point.band));
  const value = `M${edge(0).join("L")}`;
  const assets = totals.map((amount, day) => at(day, amount));
  place.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  place.setAttribute("aria-label", `What the engine would end the year with, over assets by day, up to ¥${Math.round(high).toLocaleString("en")}`);
  put(place, svg("path", { class: "bank", d: `M${[...assets, at(assets.length - 1, 0), at(0, 0)].join("L")}Z` }, svg("title", {}, "total assets")),
    svg("path", { class: "band", d: `M${[...edge(1), ...edge(-1).reverse()].join("L")}Z` }),
    svg("path", { class: "value", d: value }, svg("title", {}, "what the engine would end the year with")), cursor());
}

export function moveCursor(place, year, day) {
  const at = (day / Math.max(1, year.days)) * WIDTH;
  for (const line of place.querySelectorAll(".cursor, .cursor-ground")) {
    line.setAttribute("x1", at);
    line.setAttribute("x2", at);
  }
}

export function dayAt(place, year, event) {
  const box = place.getBoundingClientRect();
  return Math.round(((event.clientX - box.left) / box.width) * year.days);
}
