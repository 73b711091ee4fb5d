// The canvas of a year's chart: lines, spans and dots, drawn by uPlot.
// It needs the script `uplot.js` before it, and colours as CSS variables (see components.css).

import { useEffect, useRef, useState } from "./kit.js";

const LINEAR = 10_000; // yuan: below it a log scale is linear, so that it has room for zero and for debts
const DRAG = 8; // pixels: less is a click
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
export const LEFT = 54; // pixels that the axis takes
export const RIGHT = 8;

// Plots `shown` (year, lines, hidden, log, day and range) in a place, and returns a function that forgets the pointer.
// `hear` has `hover(day)`, `choose(day)` and `view(range)`.
export function usePlot(place, height, shown, hear) {
  const [width, setWidth] = useState(0); // none while the place is hidden
  const [plot, latest] = [useRef(null), useRef(null)];
  latest.current = { place: place.current, height, hear, ...shown };
  const { year, lines, hidden, log, range: [min, max] } = shown;
  useEffect(() => {
    const sized = new ResizeObserver(([{ target }]) => setWidth(target.clientWidth));
    const theme = matchMedia("(prefers-color-scheme: dark)");
    const recolour = () => plot.current?.redraw(false);
    sized.observe(place.current);
    theme.addEventListener("change", recolour);
    return () => {
      sized.disconnect();
      theme.removeEventListener("change", recolour);
    };
  }, []);
  useEffect(() => {
    plot.current = width ? plotOf(latest, width) : null;
    return () => plot.current?.destroy();
  }, [width, log, year.days, lines.map(({ key, label }) => `${key} ${label} ${hidden.has(key)}`).join()]);
  useEffect(() => {
    plot.current?.setData(dataOf(shown), false);
    plot.current?.setScale("x", { min, max });
    plot.current?.redraw(false);
  });
  // A pointer that rests on the chart, and the one that a tap leaves there, must not cover the day chosen last.
  return () => plot.current?.setCursor({ left: -10, top: -10 });
}

function dataOf({ year, lines }) {
  const days = Array.from({ length: year.days + 1 }, (_, day) => day);
  const padded = (values) => days.map((day) => (day < values.length ? values[day] : null));
  return [days, ...lines.flatMap((line) => [line.values, ...(line.band ?? [])].map(padded))];
}

function plotOf(latest, width) {
  const { place, height, lines, hidden, log } = latest.current;
  const series = [{}];
  const bands = [];
  for (const line of lines) {
    const look = { scale: "yuan", show: !hidden.has(line.key), dash: line.dash, points: { show: false },
      stroke: () => colour(place, line.colour) };
    const area = line.area ? () => colour(place, line.colour, 0.07) : undefined;
    series.push({ ...look, width: line.width, fill: area });
    if (!line.band) continue;
    bands.push({ series: [series.length, series.length + 1], fill: () => colour(place, line.colour, 0.22) });
    series.push({ ...look, width: 0.5 }, { ...look, width: 0.5 });
  }
  const range = (_, low, high) => [Math.min(0, low ?? 0), Math.max(1, high ?? 1) * (log ? 1.3 : 1.06)];
  const scaled = ({ scales: { x: { min, max } } }) => {
    const [from, to] = latest.current.range;
    if (min != null && (min !== from || max !== to)) latest.current.hear.view([min, max]);
  };
  const made = new (/** @type {any} */ (globalThis).uPlot)({
    width, height, series, bands, padding: [10, RIGHT, 0, 0], legend: { show: false },
    scales: { x: { time: false }, yuan: { ...(log ? { distr: 4, asinh: LINEAR } : { distr: 1 }), range } },
    axes: axesOf(place),
    cursor: { y: false, drag: { x: true, y: false, dist: DRAG }, points: { size: 6 } },
    hooks: {
      drawClear: [(plot) => drawSpans(plot, latest.current)], draw: [(plot) => drawDots(plot, latest.current)],
      setCursor: [(plot) => latest.current.hear.hover(plot.cursor.idx ?? null)],
      setScale: [(plot, key) => key === "x" && scaled(plot)],
    },
  }, dataOf(latest.current), place);
  made.over.addEventListener("click", (event) => latest.current.hear.choose(Math.round( // dragging a mouse zooms
    made.posToVal(event.clientX - made.over.getBoundingClientRect().left, "x"))));
  return made;
}

function axesOf(place) {
  const faint = () => colour(place, "line");
  const look = { stroke: () => colour(place, "muted"), grid: { stroke: faint, width: 1 },
    ticks: { stroke: faint, size: 4 }, font: "11px system-ui, sans-serif", gap: 3 };
  const days = { ...look, size: 26, space: 46, incrs: [1, 2, 5, 7, 10, 20, 25, 50, 100, 200, 500, 1000],
    values: (_, ticks) => ticks.map((tick, at) => (at === 0 ? `day ${tick}` : String(tick))) };
  const money = { ...look, scale: "yuan", size: LEFT, space: 28,
    values: (_, ticks) => ticks.map((tick) => tick == null ? ""
      : `${tick < 0 ? "-" : ""}¥${compact.format(Math.abs(tick))}`) };
  return [days, money];
}

function colour(place, name, alpha = 1) {
  const found = getComputedStyle(place).getPropertyValue(`--${name}`).trim();
  return alpha === 1 ? found : `${found}${Math.round(255 * alpha).toString(16).padStart(2, "0")}`;
}

// Behind the lines: the calendar, weeks with a mark at the top, and mornings with an overdrawn bank at the foot.
function drawSpans(plot, { place, year }) {
  const { ctx, bbox } = plot;
  const thick = 5 * devicePixelRatio;
  const within = (day) => Math.min(bbox.left + bbox.width, Math.max(bbox.left, plot.valToPos(day, "x", true)));
  const block = ({ first, last, kind }, name, top = bbox.top, high = bbox.height) => {
    const [from, to] = [within(first), within(last + 1)];
    ctx.fillStyle = colour(place, `${name}${kind}`);
    if (to > from) ctx.fillRect(from, top, Math.max(2, to - from), high);
  };
  for (const span of year.spans ?? [])
    block(span, "span-", ...(span.kind === "overdrawn" ? [bbox.top + bbox.height - thick, thick] : []));
  for (const mark of year.marks ?? []) block({ ...mark, first: mark.day }, "", bbox.top, thick);
}

// Before the lines: failure modes, where calls part, and the chosen day.
function drawDots(plot, { place, year, day, range }) {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const x = (at) => plot.valToPos(at, "x", true);
  const within = (at) => range[0] <= at && at <= range[1];
  const upright = (at, width, dash = []) => {
    ctx.strokeStyle = colour(place, "ink");
    ctx.lineWidth = width * scale;
    ctx.setLineDash(dash.map((each) => each * scale));
    ctx.stroke(new Path2D(`M${x(at)} ${bbox.top}v${bbox.height}`));
  };
  ctx.save();
  for (const dot of (year.dots ?? []).filter((each) => within(each.day))) {
    if (dot.parting) { upright(dot.day, 1, [2, 3]); continue; }
    ctx.fillStyle = colour(place, "bad");
    ctx.beginPath();
    ctx.arc(x(dot.day), bbox.top + bbox.height - 9 * scale, 3 * scale, 0, 2 * Math.PI);
    ctx.fill();
  }
  if (within(day)) upright(day, 1.5);
  ctx.restore();
}
