// The canvas of a year's chart: lines, spans and dots, drawn by uPlot.
// It needs the script `uplot.js` before it, and colours as CSS variables (see components.css).

const LINEAR = 10_000; // yuan: below it a log scale is linear, so that it has room for zero and for debts
const DRAG = 8; // pixels: less is a click
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
export const LEFT = 54; // pixels that the axis takes
export const RIGHT = 8;

export class Plot {
  // `handlers` has `hover(day)`, `choose(day)` and `view(range)`.
  constructor(place, height, handlers) {
    this.place = place;
    this.height = height;
    this.handlers = handlers;
    this.shown = null;
    this.kind = "";
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
    const { lines, hidden, log, year } = shown;
    const kind = JSON.stringify([log, year.days, lines.map(({ key, label }) => [key, label, hidden.has(key)])]);
    const same = this.draw && this.kind === kind;
    this.shown = shown;
    this.kind = kind;
    if (!same) return this.build();
    this.draw.setData(this.data(), false);
    this.scale();
    return this.draw.redraw(false);
  }

  scale() {
    const [min, max] = this.shown.range;
    this.draw.setScale("x", { min, max });
  }

  resize() {
    const width = this.place.clientWidth;
    if (!this.shown || !width) return;
    if (!this.draw) this.build();
    else if (this.draw.width !== width) this.draw.setSize({ width, height: this.height });
  }

  data() {
    const days = Array.from({ length: this.shown.year.days + 1 }, (_, day) => day);
    const padded = (values) => days.map((day) => (day < values.length ? values[day] : null));
    return [days, ...this.shown.lines.flatMap((line) => [line.values, ...(line.band ?? [])].map(padded))];
  }

  build() {
    const width = this.place.clientWidth;
    if (!width) return; // hidden: it is built when it is shown
    this.draw?.destroy();
    const series = [{}];
    const bands = [];
    for (const line of this.shown.lines) {
      const look = { scale: "yuan", show: !this.shown.hidden.has(line.key), dash: line.dash, points: { show: false },
        stroke: () => this.colour(line.colour) };
      const area = line.area ? () => this.colour(line.colour, 0.07) : undefined;
      series.push({ ...look, width: line.width, fill: area });
      if (!line.band) continue;
      bands.push({ series: [series.length, series.length + 1], fill: () => this.colour(line.colour, 0.22) });
      series.push({ ...look, width: 0.5 }, { ...look, width: 0.5 });
    }
    const { log } = this.shown;
    const range = (_, low, high) => [Math.min(0, low ?? 0), Math.max(1, high ?? 1) * (log ? 1.3 : 1.06)];
    this.draw = new (/** @type {any} */ (globalThis).uPlot)({
      width, height: this.height, series, bands, padding: [10, RIGHT, 0, 0], legend: { show: false },
      scales: { x: { time: false }, yuan: { ...(log ? { distr: 4, asinh: LINEAR } : { distr: 1 }), range } },
      axes: this.axes(log),
      cursor: { y: false, drag: { x: true, y: false, dist: DRAG }, points: { size: 6 } },
      hooks: {
        drawClear: [(draw) => this.drawSpans(draw)], draw: [(draw) => this.drawDots(draw)],
        setCursor: [(draw) => this.handlers.hover(draw.cursor.idx ?? null)],
        setScale: [(draw, key) => key === "x" && this.scaled(draw)],
      },
    }, this.data(), this.place);
    const { over } = this.draw; // a click chooses a day; dragging a mouse zooms, a double click resets
    over.addEventListener("click", (event) => this.handlers.choose(Math.round(
      this.draw.posToVal(event.clientX - over.getBoundingClientRect().left, "x"))));
    this.scale();
  }

  axes(log) {
    const faint = () => this.colour("line");
    const look = { stroke: () => this.colour("muted"), grid: { stroke: faint, width: 1 },
      ticks: { stroke: faint, size: 4 }, font: "11px system-ui, sans-serif", gap: 3 };
    const days = { ...look, size: 26, space: 46, incrs: [1, 2, 5, 7, 10, 20, 25, 50, 100, 200, 500, 1000],
      values: (_, ticks) => ticks.map((tick, at) => (at === 0 ? `day ${tick}` : String(tick))) };
    const money = { ...look, scale: "yuan", size: LEFT, space: 28,
      values: (_, ticks) => ticks.map((tick) => `${tick < 0 ? "-" : ""}¥${compact.format(Math.abs(tick))}`) };
    const spread = { splits: (_, _axis, low, high) => logTicks(low, high), filter: (_, ticks) => ticks };
    return [days, { ...money, ...(log ? spread : {}) }];
  }

  colour(name, alpha = 1) {
    const found = getComputedStyle(this.place).getPropertyValue(`--${name}`).trim();
    return alpha === 1 ? found : `${found}${Math.round(255 * alpha).toString(16).padStart(2, "0")}`;
  }

  // Behind the lines: the calendar, weeks with a mark at the top, and mornings with an overdrawn bank at the foot.
  drawSpans(draw) {
    const { ctx, bbox } = draw;
    const { year } = this.shown;
    const thick = 5 * devicePixelRatio;
    const within = (day) => Math.min(bbox.left + bbox.width, Math.max(bbox.left, draw.valToPos(day, "x", true)));
    const block = (first, last, colour, top = bbox.top, height = bbox.height) => {
      const [from, to] = [within(first), within(last + 1)];
      ctx.fillStyle = this.colour(colour);
      if (to > from) ctx.fillRect(from, top, Math.max(2, to - from), height);
    };
    for (const { kind, first, last } of year.spans ?? []) {
      block(first, last, `span-${kind}`, ...(kind === "overdrawn" ? [bbox.top + bbox.height - thick, thick] : []));
    }
    for (const mark of year.marks ?? []) block(mark.day, mark.last, mark.kind, bbox.top, thick);
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
      ctx.stroke(new Path2D(`M${x(at)} ${bbox.top}v${bbox.height}`));
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
    if (min != null && (min !== from || max !== to)) this.handlers.view([min, max]);
  }

  // A pointer that rests on the chart, and the one that a tap leaves there, must not cover the day chosen last.
  forgetPointer() {
    this.draw?.setCursor({ left: -10, top: -10 });
  }
}

// Powers of ten where they are enough, else with twice and five times of each.
function logTicks(low, high) {
  const top = Math.max(Math.abs(low), Math.abs(high));
  const ticks = [0];
  for (let power = LINEAR; power <= top; power *= 10) {
    for (const times of top < 50 * LINEAR ? [1, 2, 5] : [1]) ticks.push(times * power, -times * power);
  }
  return ticks.filter((tick) => low <= tick && tick <= high).sort((a, b) => a - b);
}
