// The data of a year's chart: its lines by day, the ticks of its axes, and what there is to say of a day.

import { yuan } from "./format.js";

const LINEAR = 10_000; // yuan: below it a log scale is linear, so that it has room for zero and for debts
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

// `year` has `total`, `bank`, `wallet` and `escrow` by day. It may have `units` by day, `value` (points of a review,
// each with
// its day, value and band) and `others` (further years, each with a name and its total assets by day).
export function linesOf(year) {
  const money = (key, colour = key) => ({ key, label: key, colour, values: year[key], width: 1.3 });
  const points = year.value ?? [];
  const edge = (side) => atDays(year.days, points, (point) => point.value + side * point.band);
  return [
    { key: "total", label: "total assets at 08:00", colour: "ink", values: year.total, width: 2, area: true },
    money("bank"), money("wallet"), money("escrow"),
    ...(year.others ?? []).map((other, place) => ({ key: `other-${place + 1}`, label: other.name, colour: place < 3
      ? `race-${place + 1}` : "muted", values: other.curve, width: 1.6, dash: [6, 4] })),
    ...(points.length ? [{ key: "value", label: "the engine from here", colour: "engine", values: edge(0),
      band: [edge(1), edge(-1)], width: 2 }] : []),
    ...(year.units ? [{ key: "units", label: "units held", colour: "muted", values: year.units, width: 1.2,
      scale: "units", off: true }] : []),
  ];
}

function atDays(days, points, amount) {
  const values = Array(days + 1).fill(undefined); // not null: the line continues over days without a point
  for (const point of points) values[point.day] = amount(point);
  return values;
}

// Whether the total assets of years differ tenfold, so that a linear axis would show some of them as flat.
export function farApart(lines) {
  const totals = lines.filter((line) => line.key === "total" || line.key === "value" || line.key.startsWith("other"));
  const most = totals.map((line) => Math.max(1, ...line.values.filter((value) => value != null)));
  return Math.max(...most) > 10 * Math.min(...most);
}

export function amountOn(line, day) {
  const values = line.values;
  let at = Math.min(day, values.length - 1);
  while (at > 0 && values[at] === undefined) at -= 1;
  return values[at] ?? null;
}

export function written(line, amount) {
  return line.scale === "units" ? (amount == null ? "–" : Math.round(amount).toLocaleString("en")) : yuan(amount);
}

export function axisYuan(amount) {
  return `${amount < 0 ? "-" : ""}¥${compact.format(Math.abs(amount))}`;
}

export function logScale(on) {
  return on ? { distr: 4, asinh: LINEAR } : { distr: 1 };
}

// Powers of ten where they are enough, else with twice and five times of each.
export function logTicks(low, high) {
  const top = Math.max(Math.abs(low), Math.abs(high));
  const few = top < 50 * LINEAR;
  const ticks = [0];
  for (let power = LINEAR; power <= top; power *= 10) for (const times of few ? [1, 2, 5]
    : [1]) ticks.push(times * power, -times * power);
  return ticks.filter((tick) => low <= tick && tick <= high).sort((a, b) => a - b);
}

export function dateOf(start, day) {
  if (!start) return `day ${day}`;
  const date = new Date(`${start}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + day);
  return `${date.toISOString().slice(0, 10)}, day ${day}`;
}

// Events and promotions of a day, marks of the review, failure modes, and where another year's calls part.
export function newsOf(year, day) {
  const during = (year.spans ?? []).filter((span) => span.first <= day && day <= span.last).map((span) => span.name);
  const marks = (year.marks ?? []).filter((mark) => mark.day <= day && day <= mark.last).map((mark) => mark.text);
  const dots = (year.dots ?? []).filter((dot) => dot.day === day).map((dot) => dot.text);
  const news = [...new Set([...marks, ...during, ...dots])];
  return news.length > 4 ? [...news.slice(0, 4), `${news.length - 4} more`] : news;
}
