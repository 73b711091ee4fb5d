// The canvas of a year's chart: lines, spans and dots drawn by uPlot, and what pointers do on it.
// It needs the script `uplot.js` before it, and colours as CSS variables (see components.css).

import { axisYuan, logScale, logTicks } from "./year_lines.js";

const LEAST_DAYS = 7; // that are shown at the closest
const DRAG = 8; // pixels: less is a click

// The days that a view of a year may show, from `from` to `to` where that fits.
export function viewOf(days, from, to) {
  const width = Math.min(days, Math.max(Math.min(LEAST_DAYS, days), to - from));
  const first = Math.max(0, Math.min(days - width, from));
  return [first, first + width];
}

// A view that is `by` times as wide, around a day.
export function zoomed(days, [from, to], by, around) {
  const centre = around ?? (from + to) / 2;
  return viewOf(days, centre - (centre - from) * by, centre + (to - centre) * by);
}

export class Plot {
  // `handlers` has `hover(day)`, `choose(day)`, `view(range)` and `frame({ left, width })`.
  constructor(place, height, handlers) {
    this.place = place;
    this.height = height;
    this.handlers = handlers;
    this.shown = null;
    this.draw = null;
    this.sized = new ResizeObserver(() => this.resize());
    this.sized.observe(place);
    this.theme = matchMedia("(prefers-color-scheme: dark)");
    this.recolour = () => this.draw?.redraw(false);
    this.theme.addEventListener("change", this.recolour);
  }

  destroy() {
    this.sized.disconnect();
    this.theme.removeEventListener("change", this.recolour);
    this.draw?.destroy();
  }

  // `shown` has year, lines, hidden, log, day and range.
  show(shown) {
    const before = this.shown;
    this.shown = shown;
    const same = before && this.draw && before.log === shown.log && before.year.days === shown.year.days
      && keysOf(before) === keysOf(shown);
    if (!same) return this.build();
    if (before.lines !== shown.lines) this.draw.setData(this.data(), false);
    this.scale();
    return this.draw.redraw(false);
  }

  scale() {
    const [min, max] = this.shown.range;
    this.draw.setScale("x", { min, max });
  }

  resize() {
    if (!this.shown || !this.place.clientWidth) return;
    if (!this.draw) this.build();
    else if (this.draw.width !== this.place.clientWidth) this.draw.setSize({ width: this.place.clientWidth,
      height: this.height });
  }

  data() {
    const { days } = this.shown.year;
    const padded = (values) => [...values.slice(0, days + 1), ...Array(Math.max(0, days + 1 - values.length))
      .fill(null)];
    const lines = this.shown.lines.flatMap((line) => [line.values, ...(line.band ?? [])].map(padded));
    return [Array.from({ length: days + 1 }, (_, day) => day), ...lines];
  }

  build() {
    const width = this.place.clientWidth;
    if (!width) return; // hidden: it is built when it is shown
    this.draw?.destroy();
    const series = [{}];
    const bands = [];
    for (const line of this.shown.lines) {
      series.push({ ...this.serie(line), fill: line.area ? () => this.colour(line.colour, 0.07) : undefined });
      if (!line.band) continue;
      bands.push({ series: [series.length, series.length + 1], fill: () => this.colour(line.colour, 0.22) });
      series.push({ ...this.serie(line), width: 0.5 }, { ...this.serie(line), width: 0.5 });
    }
    this.draw = new (/** @type {any} */ (globalThis).uPlot)({
      width, height: this.height, series, bands, padding: [10, 8, 0, 0], legend: { show: false },
      scales: this.scales(), axes: this.axes(width),
      cursor: { y: false, drag: { x: true, y: false, dist: DRAG }, points: { size: 6 } },
      hooks: {
        drawClear: [(draw) => this.drawSpans(draw)], draw: [(draw) => this.drawDots(draw)],
        setCursor: [(draw) => this.handlers.hover(draw.cursor.idx ?? null)],
        setScale: [(draw, key) => key === "x" && this.scaled(draw)],
      },
    }, this.data(), this.place);
    this.listen(this.draw.over);
    this.scale();
  }

  serie(line) {
    return {
      label: line.label, scale: line.scale ?? "yuan", show: !this.shown.hidden.has(line.key), width: line.width,
      dash: line.dash, points: { show: false }, stroke: () => this.colour(line.colour),
    };
  }

  scales() {
    const room = (low, high) => [Math.min(0, low ?? 0), Math.max(1, high ?? 1) * (this.shown.log ? 1.3 : 1.06)];
    const units = (_, _low, high) => [0, Math.max(1, high ?? 1) * 1.06];
    return { x: { time: false }, yuan: { ...logScale(this.shown.log), range: (_, low, high) => room(low, high) },
      units: { range: units } };
  }

  axes(width) {
    const { lines, hidden, log } = this.shown;
    const faint = () => this.colour("line");
    const look = { stroke: () => this.colour("muted"), grid: { stroke: faint, width: 1 },
      ticks: { stroke: faint, size: 4 }, font: "11px system-ui, sans-serif" };
    const money = { ...look, scale: "yuan", size: 54, gap: 3, space: 28, values: (_, ticks) => ticks.map(axisYuan) };
    const splits = (_, _axis, low, high) => logTicks(low, high);
    if (log) Object.assign(money, { splits, filter: (_, ticks) => ticks });
    const days = {
      ...look, size: 26, gap: 3, space: 46, incrs: [1, 2, 5, 7, 10, 20, 25, 50, 100, 200, 500, 1000],
      values: (_, ticks) => ticks.map((tick, at) => (at === 0 ? `day ${tick}` : String(tick))),
    };
    const units = {
      ...look, scale: "units", side: 1, size: width < 500 ? 40 : 52, gap: 3, grid: { show: false },
      values: (_, ticks) => ticks.map((tick) => axisYuan(tick).slice(1)),
    };
    return [days, money, ...(lines.some((line) => line.key === "units") && !hidden.has("units") ? [units] : [])];
  }

  colour(name, alpha = 1) {
    const found = getComputedStyle(this.place).getPropertyValue(`--${name}`).trim();
    return alpha === 1 ? found : `${found}${Math.round(255 * alpha).toString(16).padStart(2, "0")}`;
  }

  // Behind the lines: the calendar, weeks with a mark at the top, and mornings with an overdrawn bank at the foot.
  drawSpans(draw) {
    const { ctx, bbox } = draw;
    const { year } = this.shown;
    const within = (day) => Math.min(bbox.left + bbox.width, Math.max(bbox.left, draw.valToPos(day, "x", true)));
    const block = (first, last, colour, top = bbox.top, height = bbox.height) => {
      const [from, to] = [within(first), within(last)];
      ctx.fillStyle = colour;
      if (to > from) ctx.fillRect(from, top, Math.max(2, to - from), height);
    };
    const thick = 5 * devicePixelRatio;
    ctx.save();
    for (const { kind, first, last } of year.spans ?? []) {
      const foot = kind === "overdrawn" ? [bbox.top + bbox.height - thick, thick] : [];
      block(first, last + 1, this.colour(`span-${kind}`), ...foot);
    }
    for (const mark of year.marks ?? []) block(mark.day, mark.last + 1, this.colour(mark.kind), bbox.top, thick);
    ctx.restore();
    this.handlers.frame({ left: draw.over.offsetLeft, width: draw.over.clientWidth });
  }

  // Before the lines: failure modes, where calls part, and the chosen day.
  drawDots(draw) {
    const { ctx, bbox } = draw;
    const { year, day, range } = this.shown;
    const scale = devicePixelRatio;
    const x = (at) => draw.valToPos(at, "x", true);
    const within = (at) => range[0] <= at && at <= range[1];
    const upright = (at, width, dash = []) => {
      ctx.strokeStyle = this.colour("ink");
      ctx.lineWidth = width * scale;
      ctx.setLineDash(dash.map((each) => each * scale));
      ctx.beginPath();
      ctx.moveTo(x(at), bbox.top);
      ctx.lineTo(x(at), bbox.top + bbox.height);
      ctx.stroke();
    };
    ctx.save();
    for (const dot of (year.dots ?? []).filter((each) => within(each.day))) {
      if (dot.parting) { upright(dot.day, 1, [2, 3]); continue; }
      ctx.fillStyle = this.colour(dot.hidden ? "wallet" : "bad");
      ctx.beginPath();
      ctx.arc(x(dot.day), bbox.top + bbox.height - (dot.hidden ? 18 : 9) * scale, 3 * scale, 0, 2 * Math.PI);
      ctx.fill();
    }
    if (within(day)) upright(day, 1.5);
    ctx.restore();
  }

  scaled(draw) {
    const { min, max } = draw.scales.x;
    const [from, to] = this.shown.range;
    if (min != null && (min !== from || max !== to)) this.handlers.view(viewOf(this.shown.year.days, min, max));
  }

  // A pointer that rests on the chart, and the one that a tap leaves there, must not cover the day chosen last.
  forgetPointer() {
    this.draw?.setCursor({ left: -10, top: -10 });
  }

  // A click chooses a day, a finger reads along, two fingers zoom. Dragging a mouse zooms, a double click resets.
  listen(over) {
    const fingers = new Map();
    const at = (event) => event.clientX - over.getBoundingClientRect().left;
    const dayAt = (left) => this.draw.posToVal(left, "x");
    over.addEventListener("click", (event) => this.handlers.choose(Math.round(dayAt(at(event)))));
    over.addEventListener("pointerdown", (event) => event.pointerType === "touch" && fingers.set(event.pointerId,
      at(event)));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) over.addEventListener(name,
      (event) => fingers.delete(event.pointerId));
    over.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      const before = [...fingers.values()];
      fingers.set(event.pointerId, at(event));
      const now = [...fingers.values()];
      if (now.length === 1) return void this.draw.setCursor({ left: now[0], top: 10 });
      const by = Math.abs(before[0] - before[1]) / Math.max(1, Math.abs(now[0] - now[1]));
      this.handlers.view(zoomed(this.shown.year.days, this.shown.range, by, dayAt((now[0] + now[1]) / 2)));
    });
  }
}

function keysOf({ lines, hidden }) {
  return lines.map((line) => `${line.key}:${line.label}:${hidden.has(line.key)}`).join("|");
}
