// The money of a year as a chart: read by pointer, finger and keys, on a linear or a log scale, zoomed in and out.
// It needs the script `uplot.js` before it, and colours as CSS variables (see components.css).

import { el, put } from "./dom.js";
import { amountOn, axisYuan, dateOf, farApart, linesOf, logScale, logTicks, newsOf, written } from "./year_lines.js";

const LEAST_DAYS = 7; // that are shown at the closest
const DRAG = 8; // pixels: less is a click
const MARK_WIDTH = 24; // pixels that the sign of a mark takes

export class YearChart {
  // `chosen` hears the day that its reader chooses; `linkOf` may give an element that leads to a day.
  constructor(place, { height = 260, chosen = () => {}, linkOf = () => null, marked = null } = {}) {
    Object.assign(this, { height, chosen, linkOf, marked, day: 0, hovered: null, hidden: null, log: false, wanted: null });
    const tool = (text, label, work) => el("button", { type: "button", "aria-label": label, title: label, onclick: work }, text);
    this.scaleTool = tool("log", "Log scale", () => this.setLog(!this.log));
    this.tools = [this.scaleTool, tool("−", "Zoom out", () => this.zoom(2)), tool("+", "Zoom in", () => this.zoom(0.5))];
    this.whole = tool("all days", "Show all days", () => this.reset());
    this.legend = el("span", { class: "chart-legend", role: "group", "aria-label": "Lines" });
    this.strip = el("div", { class: "chart-marks", role: "group", "aria-label": "Marks of the review" });
    this.plot = el("div", { class: "chart-plot", tabindex: "0", role: "slider", "aria-label": "Money by day", "aria-orientation": "horizontal" });
    this.told = el("p", { class: "chart-day muted" });
    put(place, el("div", { class: "chart-head" }, this.legend, el("span", { class: "chart-tools" }, this.tools, this.whole)), this.strip, this.plot, this.told);
    place.classList.add("year-chart");
    this.plot.addEventListener("keydown", (event) => this.key(event));
    this.sized = new ResizeObserver(() => this.resize());
    this.sized.observe(this.plot);
    this.theme = matchMedia("(prefers-color-scheme: dark)");
    this.recolour = () => this.draw?.redraw(false);
    this.theme.addEventListener("change", this.recolour);
  }

  destroy() {
    this.sized.disconnect();
    this.theme.removeEventListener("change", this.recolour);
    this.draw?.destroy();
  }

  // What is drawn; see `linesOf` and `newsOf` for its parts. A zoom and lines that were switched off stay.
  show(year) {
    const lines = linesOf(year);
    const same = this.year && this.year.days === year.days && keysOf(this.lines) === keysOf(lines);
    const range = this.year?.days === year.days ? this.range : null;
    Object.assign(this, { year, lines, last: year.bank.length - 1 });
    this.hidden ??= new Set(lines.filter((line) => line.off).map((line) => line.key));
    this.day = Math.min(this.day, this.last);
    const log = this.wanted ?? farApart(lines);
    if (!same || log !== this.log) {
      this.log = log;
      this.build(range);
    } else this.draw?.setData(this.data(), false);
    this.draw?.setScale("x", { min: this.range[0], max: this.range[1] });
    this.drawLegend();
    this.tell();
  }

  data() {
    const padded = (values) => [...values.slice(0, this.year.days + 1), ...Array(Math.max(0, this.year.days + 1 - values.length)).fill(null)];
    const days = Array.from({ length: this.year.days + 1 }, (_, day) => day);
    return [days, ...this.lines.flatMap((line) => [line.values, ...(line.band ?? [])].map(padded))];
  }

  build(range) {
    const width = this.plot.clientWidth;
    this.range = range ?? [0, this.year.days];
    if (!width) return; // hidden: it is built when it is shown
    this.draw?.destroy();
    const series = [{}];
    const bands = [];
    for (const line of this.lines) {
      series.push({ ...this.serie(line), fill: line.area ? () => this.colour(line.colour, 0.07) : undefined });
      if (!line.band) continue;
      bands.push({ series: [series.length, series.length + 1], fill: () => this.colour(line.colour, 0.22) });
      series.push({ ...this.serie(line), width: 0.5 }, { ...this.serie(line), width: 0.5 });
    }
    this.draw = new uPlot({ width, height: this.height, series, bands, padding: [10, 8, 0, 0], legend: { show: false }, scales: this.scales(), axes: this.axes(width), cursor: { y: false, drag: { x: true, y: false, dist: DRAG }, points: { size: 6 } },
      hooks: { drawClear: [() => this.drawSpans()], draw: [() => this.drawDots(), () => this.placeMarks()], setCursor: [() => this.hover()], setScale: [(_, key) => key === "x" && this.scaled()] } }, this.data(), this.plot);
    this.listen(this.draw.over);
    this.view(...this.range);
  }

  serie(line) {
    return { label: line.label, scale: line.scale ?? "yuan", show: !this.hidden.has(line.key), width: line.width, dash: line.dash, points: { show: false }, stroke: () => this.colour(line.colour) };
  }

  scales() {
    const room = (low, high) => [Math.min(0, low ?? 0), Math.max(1, high ?? 1) * (this.log ? 1.3 : 1.06)];
    return { x: { time: false }, yuan: { ...logScale(this.log), range: (_, low, high) => room(low, high) }, units: { range: (_, low, high) => [0, Math.max(1, high ?? 1) * 1.06] } };
  }

  axes(width) {
    const look = { stroke: () => this.colour("muted"), grid: { stroke: () => this.colour("line"), width: 1 }, ticks: { stroke: () => this.colour("line"), size: 4 }, font: "11px system-ui, sans-serif" };
    const money = { ...look, scale: "yuan", size: 54, gap: 3, space: 28, values: (_, ticks) => ticks.map(axisYuan) };
    if (this.log) Object.assign(money, { splits: (_, axis, low, high) => logTicks(low, high), filter: (_, ticks) => ticks });
    return [{ ...look, size: 26, gap: 3, space: 46, incrs: [1, 2, 5, 7, 10, 20, 25, 50, 100, 200, 500, 1000], values: (_, ticks) => ticks.map((tick, place) => (place === 0 ? `day ${tick}` : String(tick))) },
      money, ...(this.shown("units") ? [{ ...look, scale: "units", side: 1, size: width < 500 ? 40 : 52, gap: 3, grid: { show: false }, values: (_, ticks) => ticks.map((tick) => axisYuan(tick).slice(1)) }] : [])];
  }

  shown(key) {
    return this.lines.some((line) => line.key === key) && !this.hidden.has(key);
  }

  colour(name, alpha = 1) {
    const found = getComputedStyle(this.plot).getPropertyValue(`--${name}`).trim();
    return alpha === 1 ? found : `${found}${Math.round(255 * alpha).toString(16).padStart(2, "0")}`;
  }

  resize() {
    if (!this.year || !this.plot.clientWidth) return;
    if (!this.draw) this.build(this.range);
    else if (this.draw.width !== this.plot.clientWidth) this.draw.setSize({ width: this.plot.clientWidth, height: this.height });
  }

  // Behind the lines: the calendar, weeks with a mark at the top, and mornings with an overdrawn bank at the foot.
  drawSpans() {
    const { ctx, bbox } = this.draw ?? {};
    if (!ctx) return;
    const block = (first, last, colour, top = bbox.top, height = bbox.height) => {
      const [from, to] = [first, last].map((day) => Math.min(bbox.left + bbox.width, Math.max(bbox.left, this.draw.valToPos(day, "x", true))));
      ctx.fillStyle = colour;
      if (to > from) ctx.fillRect(from, top, Math.max(2, to - from), height);
    };
    ctx.save();
    for (const span of this.year.spans ?? []) {
      const foot = span.kind === "overdrawn" ? [bbox.top + bbox.height - 5 * devicePixelRatio, 5 * devicePixelRatio] : [];
      block(span.first, span.last + 1, this.colour(`span-${span.kind}`), ...foot);
    }
    for (const mark of this.year.marks ?? []) block(mark.day, mark.last + 1, this.colour(mark.kind), bbox.top, 4 * devicePixelRatio);
    ctx.restore();
  }

  // Before the lines: failure modes, where calls part, and the chosen day.
  drawDots() {
    const { ctx, bbox } = this.draw;
    const x = (day) => this.draw.valToPos(day, "x", true);
    const within = (day) => this.range[0] <= day && day <= this.range[1];
    const scale = devicePixelRatio;
    const upright = (day, colour, width, dash = []) => {
      ctx.strokeStyle = colour;
      ctx.lineWidth = width * scale;
      ctx.setLineDash(dash.map((each) => each * scale));
      ctx.beginPath();
      ctx.moveTo(x(day), bbox.top);
      ctx.lineTo(x(day), bbox.top + bbox.height);
      ctx.stroke();
    };
    ctx.save();
    for (const dot of (this.year.dots ?? []).filter((each) => within(each.day))) {
      if (dot.parting) { upright(dot.day, this.colour("ink"), 1, [2, 3]); continue; }
      ctx.fillStyle = this.colour(dot.hidden ? "wallet" : "bad");
      ctx.beginPath();
      ctx.arc(x(dot.day), bbox.top + bbox.height - (dot.hidden ? 18 : 9) * scale, 3 * scale, 0, 2 * Math.PI);
      ctx.fill();
    }
    if (within(this.day)) upright(this.day, this.colour("ink"), 1.5);
    ctx.restore();
  }

  // Signs stand in two rows above their weeks; where there is no room for one it is a bar.
  placeMarks() {
    const taken = [-Infinity, -Infinity];
    const left = this.draw.over.offsetLeft;
    for (const [place, mark] of (this.year.marks ?? []).entries()) {
      const button = this.strip.children[place];
      const at = left + this.draw.valToPos((mark.day + mark.last + 1) / 2, "x");
      const row = taken.findIndex((end) => at - end >= MARK_WIDTH);
      button.hidden = mark.last < this.range[0] || this.range[1] < mark.day;
      if (!button.hidden && row >= 0) taken[row] = at;
      button.classList.toggle("tight", row < 0);
      button.style.left = `${at}px`;
      button.style.bottom = `${0.1 + Math.max(0, row) * 1.4}rem`;
    }
    this.strip.style.height = `${taken[1] > -Infinity ? 2.8 : 1.4}rem`;
  }

  drawLegend() {
    const marks = this.year.marks ?? [];
    this.strip.hidden = !marks.length;
    put(this.strip, marks.map((mark) => el("button", { type: "button", class: mark.kind, title: mark.text, "aria-label": `${mark.sign} ${mark.text}`, onclick: () => (this.marked ? this.marked(mark) : this.choose(mark.day)) }, mark.sign)));
    put(this.legend, this.lines.map((line) => {
      const key = el("i", { class: line.dash ? "dashed" : null });
      key.style.borderColor = `var(--${line.colour})`;
      return el("button", { type: "button", "aria-pressed": String(this.shown(line.key)), onclick: () => this.toggle(line) }, key, line.label, " ", el("output", {}));
    }));
    this.scaleTool.setAttribute("aria-pressed", String(this.log));
    if (this.draw) this.placeMarks();
  }

  toggle(line) {
    if (!this.hidden.delete(line.key)) this.hidden.add(line.key);
    this.build(this.range);
    this.legend.children[this.lines.indexOf(line)].setAttribute("aria-pressed", String(this.shown(line.key)));
  }

  setLog(on) {
    this.log = this.wanted = on;
    this.scaleTool.setAttribute("aria-pressed", String(on));
    this.build(this.range);
  }

  // Shows the figures of the day under the pointer, or of the chosen one. The slider's value is always the chosen day.
  tell() {
    const day = this.hovered ?? this.day;
    const figuresOn = (each) => this.lines.map((line) => written(line, amountOn(line, each)));
    figuresOn(day).forEach((figure, place) => { this.legend.children[place].querySelector("output").textContent = figure; });
    const news = newsOf(this.year, day);
    const link = day === this.day ? this.linkOf(day) : null;
    put(this.told, el("strong", {}, dateOf(this.year.start, day)), news.length ? ` · ${news.join(" · ")}` : null, link ? [" · ", link] : null);
    const bounds = { "aria-valuemin": 0, "aria-valuemax": this.last, "aria-valuenow": this.day };
    const figures = figuresOn(this.day).map((figure, place) => `${this.lines[place].label} ${figure}`);
    const text = [`${dateOf(this.year.start, this.day)}: ${figures.join(", ")}`, newsOf(this.year, this.day).join(", ")].filter(Boolean).join("; ");
    for (const [name, value] of Object.entries({ ...bounds, "aria-valuetext": text })) this.plot.setAttribute(name, value);
  }

  hover() {
    const { idx } = this.draw.cursor;
    this.hovered = idx == null ? null : Math.min(idx, this.last);
    this.tell();
  }

  // Moves the line of the chosen day, and the view where it would be outside.
  pick(day) {
    if (!this.year) return;
    this.day = Math.max(0, Math.min(this.last, day));
    const [from, to] = this.range;
    if (this.day < from || this.day > to) this.view(this.day - (to - from) / 2, this.day + (to - from) / 2);
    this.draw?.redraw(false);
    this.tell();
  }

  // A pointer that rests on the chart, and the one that a tap leaves there, must not cover the day chosen last.
  choose(day) {
    this.draw?.setCursor({ left: -10, top: -10 });
    this.pick(day);
    this.chosen(this.day);
  }

  view(from, to) {
    const width = Math.min(this.year.days, Math.max(Math.min(LEAST_DAYS, this.year.days), to - from));
    const first = Math.max(0, Math.min(this.year.days - width, from));
    this.range = [first, first + width];
    this.draw?.setScale("x", { min: first, max: first + width });
  }

  zoom(by, around = null) {
    const [from, to] = this.range;
    const centre = around ?? (from <= this.day && this.day <= to ? this.day : (from + to) / 2);
    this.view(centre - (centre - from) * by, centre + (to - centre) * by);
  }

  reset() {
    this.view(0, this.year.days);
  }

  scaled() {
    const { min, max } = this.draw.scales.x;
    if (min != null) this.range = [min, max];
    this.whole.disabled = this.tools[1].disabled = this.range[1] - this.range[0] >= this.year.days;
    this.tools[2].disabled = this.range[1] - this.range[0] <= LEAST_DAYS;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey && event.key.startsWith("Arrow")) return;
    const moves = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -7, PageUp: 7, Home: -Infinity, End: Infinity };
    const works = { "+": () => this.zoom(0.5), "=": () => this.zoom(0.5), "-": () => this.zoom(2), 0: () => this.reset(), l: () => this.setLog(!this.log) };
    const work = event.key in moves ? () => this.choose(this.day + moves[event.key]) : works[event.key];
    if (!work) return;
    event.preventDefault();
    event.stopPropagation();
    work();
  }

  // A click chooses a day, a finger reads along, two fingers zoom. Dragging a mouse zooms, a double click resets.
  listen(over) {
    const fingers = new Map();
    const at = (event) => event.clientX - over.getBoundingClientRect().left;
    const dayAt = (left) => this.draw.posToVal(left, "x");
    over.addEventListener("click", (event) => this.choose(Math.round(dayAt(at(event)))));
    over.addEventListener("pointerdown", (event) => event.pointerType === "touch" && fingers.set(event.pointerId, at(event)));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) over.addEventListener(name, (event) => fingers.delete(event.pointerId));
    over.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      const before = [...fingers.values()];
      fingers.set(event.pointerId, at(event));
      const now = [...fingers.values()];
      if (now.length === 1) this.draw.setCursor({ left: now[0], top: 10 });
      else this.zoom(Math.abs(before[0] - before[1]) / Math.max(1, Math.abs(now[0] - now[1])), dayAt((now[0] + now[1]) / 2));
    });
  }
}

function keysOf(lines) {
  return lines.map((line) => `${line.key}:${line.label}`).join("|");
}
