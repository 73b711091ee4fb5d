// The money of a year as a chart: read by pointer, finger and keys, on a linear or a log scale, zoomed in and out.

import { html, render, useEffect, useMemo, useRef, useState } from "./preact.js";
import { amountOn, dateOf, farApart, linesOf, newsOf, written } from "./year_lines.js";
import { Plot, viewOf, zoomed } from "./year_plot.js";

const MARK_WIDTH = 24; // pixels that the sign of a mark takes
const SPANS = { event: "event", promotion: "promotion", overdrawn: "bank below zero" };
const MOVES = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -7, PageUp: 7, Home: -Infinity,
  End: Infinity };

// `year` is as `linesOf` and `newsOf` take it. `day` is the chosen one where the page knows it, `choose` hears another;
// `linkOf` gives the address of a day, `marked` hears which mark was pressed, `scrub` adds a slider below the plot.
/** @param {Record<string, any>} props */
export function YearChart({ year, day: given = null, height = 260, choose = () => {}, linkOf = () => "", marked = null,
  scrub = false }) {
  const lines = useMemo(() => linesOf(year), [year]);
  const last = year.bank.length - 1;
  const [own, setOwn] = useState(0);
  const [hovered, hover] = useState(null);
  const [hidden, hide] = useState(() => new Set(lines.filter((line) => line.off).map((line) => line.key)));
  const [logChosen, chooseLog] = useState(null);
  const [{ days, range }, setView] = useState({ days: year.days, range: [0, year.days] });
  const [frame, setFrame] = useState({ left: 0, width: 0 });
  const [place, plot, latest] = [useRef(null), useRef(null), useRef(null)];
  const day = Math.max(0, Math.min(last, given ?? own));
  const log = logChosen ?? farApart(lines);
  const seen = days === year.days ? range : [0, year.days];
  const view = (next) => setView({ days: year.days, range: next });
  const zoom = (by) => view(zoomed(year.days, seen, by, seen[0] <= day && day <= seen[1] ? day : null));
  const pick = (next) => {
    const chosen = Math.max(0, Math.min(last, next));
    plot.current?.forgetPointer();
    setOwn(chosen);
    choose(chosen);
  };
  latest.current = { hover: (at) => hover(at == null ? null : Math.min(at, last)), choose: pick, view,
    frame: (next) => { if (next.left !== frame.left || next.width !== frame.width) setFrame(next); } };
  useEffect(() => {
    const handlers = Object.fromEntries(Object.keys(latest.current)
      .map((name) => [name, (value) => latest.current[name](value)]));
    plot.current = new Plot(place.current, height, handlers);
    return () => plot.current.destroy();
  }, []);
  useEffect(() => { // a day that is chosen elsewhere is brought into view
    const half = (seen[1] - seen[0]) / 2;
    if (day < seen[0] || day > seen[1]) view(viewOf(year.days, day - half, day + half));
  }, [day]);
  useEffect(() => { plot.current.show({ year, lines, hidden, log, day, range: seen }); });
  const toggle = (key) => hide(new Set(hidden.has(key) ? [...hidden].filter((each) => each !== key)
    : [...hidden, key]));
  const key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key.startsWith("Arrow"))) return;
    const works = { "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: () => view([0, year.days]),
      l: () => chooseLog(!log) };
    const work = event.key in MOVES ? () => pick(day + MOVES[event.key]) : works[event.key];
    if (!work) return;
    event.preventDefault();
    event.stopPropagation();
    work();
  };
  const whole = seen[1] - seen[0] >= year.days;
  const tool = (text, label, work, more = {}) => html`<button type="button" aria-label=${label} title=${label}
    onClick=${work} ...${more}>${text}</button>`;
  const told = newsOf(year, hovered ?? day);
  const figures = lines.map((line) => `${line.label} ${written(line, amountOn(line, day))}`).join(", ");
  const spoken = [`${dateOf(year.start, day)}: ${figures}`, newsOf(year, day).join(", ")].filter(Boolean).join("; ");
  const link = hovered == null || hovered === day ? linkOf(day) : "";
  return html`<div class="year-chart"><div class="chart-head"><${Legend} year=${year} lines=${lines} hidden=${hidden}
    toggle=${toggle} day=${hovered ?? day} />
      <span class="chart-tools">${tool("log", "Log scale", () => chooseLog(!log), { "aria-pressed": log })}
        ${tool("−", "Zoom out", () => zoom(2), { disabled: whole })}
          ${tool("+", "Zoom in", () => zoom(0.5), { disabled: seen[1] - seen[0] <= 7 })}
        ${tool("all days", "Show all days", () => view([0, year.days]), { disabled: whole })}</span></div>
    <${Marks} marks=${year.marks ?? []} range=${seen} frame=${frame}
      press=${(mark) => (marked ? marked(mark) : pick(mark.day))} />
    <div class="chart-plot" ref=${place} tabindex="0" role="slider" aria-label="Money by day"
      aria-orientation="horizontal" aria-valuemin="0"
      aria-valuemax=${last} aria-valuenow=${day} aria-valuetext=${spoken} onKeyDown=${key}></div>
    ${scrub ? html`<input class="scrub" type="range" min=${Math.ceil(seen[0])} max=${Math.floor(seen[1])} value=${day}
      aria-label="Day" aria-valuetext=${`day ${day} of ${year.days}`}
      style=${{ marginLeft: `${frame.left}px`, width: `${frame.width}px` }}
        onInput=${(event) => pick(Number(event.target.value))} />` : null}
    <p class="chart-day muted"><strong>${dateOf(year.start, hovered ?? day)}</strong>
      ${told.length ? ` · ${told.join(" · ")}` : ""}${link ? html` · <a href=${link}>read this day</a>` : null}</p>
      </div>`;
}

// The same in a page that is not built from components.
export function showYear(place, year, linkOf) {
  render(html`<${YearChart} year=${year} linkOf=${linkOf} />`, place);
}

// A button for each line, with its figure; and what the bands and dots mean.
function Legend({ year, lines, hidden, toggle, day }) {
  const kinds = [...new Set((year.spans ?? []).map((span) => span.kind))];
  const dots = (year.dots ?? []).filter((dot) => !dot.parting);
  return html`<span class="chart-legend" role="group" aria-label="Lines">
    ${lines.map((line) => html`<button key=${line.key} type="button" aria-pressed=${!hidden.has(line.key)}
        onClick=${() => toggle(line.key)}><i class=${line.dash ? "dashed" : ""}
          style=${{ borderColor: `var(--${line.colour})` }}></i>${line.label} <output>
          ${written(line, amountOn(line, day))}</output></button>`)}
    ${kinds.map((kind) => html`<span class="band" key=${kind}><i style=${{ background: `var(--span-${kind})` }}></i>
      ${SPANS[kind] ?? kind}</span>`)}
    ${[false, true].filter((secret) => dots.some((dot) => Boolean(dot.hidden) === secret))
      .map((secret) => html`<span class="dot" key=${secret}>
      <i style=${{ background: `var(--${secret ? "wallet" : "bad"})` }}></i>${secret ? "hidden failure mode"
      : "failure mode"}</span>`)}</span>`;
}

// Signs stand in two rows above their weeks; where there is no room for one it is a bar.
function Marks({ marks, range, frame, press }) {
  if (!marks.length) return null;
  const taken = [-Infinity, -Infinity];
  const placed = marks.filter((mark) => range[0] <= mark.last && mark.day <= range[1]).map((mark) => {
    const at = frame.left + (((mark.day + mark.last + 1) / 2 - range[0]) / (range[1] - range[0])) * frame.width;
    const row = taken.findIndex((end) => at - end >= MARK_WIDTH);
    if (row >= 0) taken[row] = at;
    return { mark, tight: row < 0, style: { left: `${at}px`, bottom: `${0.1 + Math.max(0, row) * 1.4}rem` } };
  });
  return html`<div class="chart-marks" role="group" aria-label="Marks of the review"
    style=${{ height: `${taken[1] > -Infinity ? 2.8 : 1.4}rem` }}>
    ${placed.map(({ mark, tight, style }) => html`<button key=${mark.day} type="button"
      class=${`${mark.kind} ${tight ? "tight" : ""}`} title=${mark.text} style=${style}
      aria-label=${`${mark.sign} ${mark.text}`} onClick=${() => press(mark)}>${mark.sign}</button>`)}</div>`;
}
