// The money of a year as a chart: read by pointer, finger and keys, on a linear or a log scale, zoomed in and out.

import { Button, html, useEffect, useRef, useState, yuan } from "./kit.js";
import { LEFT, RIGHT, usePlot } from "./year_plot.js";

const LEAST_DAYS = 7; // that are shown at the closest
const MARK_WIDTH = 24; // pixels that the sign of a mark takes
const MOST_NEWS = 4; // of a day
const SPANS = { event: "event", promotion: "promotion", overdrawn: "bank below zero" };
const MOVES = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -7, PageUp: 7, Home: -Infinity,
  End: Infinity };

// `year` has `total`, `bank`, `wallet` and `escrow` by day. It may have `value` (points of a review), `others` (years,
// each with a name and its total by day), `spans`, `dots` and `marks`. `day` is the chosen one where the page knows it,
// `choose` hears another; `linkOf` gives the address of a day, `marked` hears which mark was pressed.
/** @param {Record<string, any>} props */
export function YearChart({ year, day: given = null, height = 260, choose = () => {}, linkOf = () => "", marked = null,
  scrub = false }) {
  const lines = linesOf(year);
  const last = year.bank.length - 1;
  const [own, setOwn] = useState(0);
  const [hovered, hover] = useState(null);
  const [hidden, hide] = useState(new Set());
  const [logChosen, chooseLog] = useState(null);
  const log = logChosen ?? farApart(lines);
  const [seen, setSeen] = useState([0, year.days]);
  const place = useRef(null);
  const day = Math.max(0, Math.min(last, given ?? own));
  const view = (from, to) => setSeen(within(year.days, from, to));
  const zoom = (by) => {
    const centre = seen[0] <= day && day <= seen[1] ? day : (seen[0] + seen[1]) / 2;
    view(centre - (centre - seen[0]) * by, centre + (seen[1] - centre) * by);
  };
  const pick = (next) => {
    const chosen = Math.max(0, Math.min(last, next));
    forgetPointer();
    setOwn(chosen);
    choose(chosen);
  };
  const forgetPointer = usePlot(place, height, { year, lines, hidden, log, day, range: seen }, {
    hover: (at) => hover(at == null ? null : Math.min(at, last)), choose: pick, view: ([from, to]) => view(from, to) });
  useEffect(() => setSeen([0, year.days]), [year.days]);
  useEffect(() => { // a day that is chosen elsewhere is brought into view
    const half = (seen[1] - seen[0]) / 2;
    if (day < seen[0] || day > seen[1]) view(day - half, day + half);
  }, [day]);
  const whole = seen[1] - seen[0] >= year.days;
  const works = { "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: () => view(0, year.days),
    l: () => chooseLog(!log) };
  const key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key.startsWith("Arrow"))) return;
    const work = event.key in MOVES ? () => pick(day + MOVES[event.key]) : works[event.key];
    if (!work) return;
    event.preventDefault();
    event.stopPropagation();
    work();
  };
  const tool = (text, label, act, more = {}) => html`<${Button} label=${text} aria-label=${label} title=${label}
    act=${act} ...${more} />`;
  const told = newsOf(year, hovered ?? day);
  const figures = lines.map((line) => `${line.label} ${yuan(amountOn(line, day))}`).join(", ");
  const spoken = [`${dateOf(year.start, day)}: ${figures}`, ...newsOf(year, day)].join("; ");
  const link = hovered == null || hovered === day ? linkOf(day) : "";
  const room = { marginLeft: `${LEFT}px`, width: `calc(100% - ${LEFT + RIGHT}px)` }; // below and above the plot itself
  return html`<div class="year-chart"><div class="chart-head">
      <${Legend} year=${year} lines=${lines} hidden=${hidden} hide=${hide} day=${hovered ?? day} />
      <span class="chart-tools">${tool("log", "Log scale", works.l, { "aria-pressed": log })}
        ${tool("−", "Zoom out", works["-"], { disabled: whole })}
        ${tool("+", "Zoom in", works["+"], { disabled: seen[1] - seen[0] <= LEAST_DAYS })}
        ${tool("all days", "Show all days", works[0], { disabled: whole })}</span></div>
    <${Marks} marks=${year.marks ?? []} range=${seen} style=${room}
      press=${(mark) => (marked ? marked(mark) : pick(mark.day))} />
    <div class="chart-plot" ref=${place} tabindex="0" role="slider" aria-label="Money by day"
      aria-orientation="horizontal" aria-valuemin="0" aria-valuemax=${last} aria-valuenow=${day}
      aria-valuetext=${spoken} onKeyDown=${key}></div>
    ${scrub && html`<input class="scrub" type="range" min=${Math.ceil(seen[0])} max=${Math.floor(seen[1])} value=${day}
      aria-label="Day" aria-valuetext=${`day ${day} of ${year.days}`} style=${room}
      onInput=${(event) => pick(Number(event.target.value))} />`}
    <p class="chart-day muted"><strong>${dateOf(year.start, hovered ?? day)}</strong>
      ${told.length > 0 && ` · ${told.join(" · ")}`}${link && html` · <a href=${link}>read this day</a>`}</p></div>`;
}

// A button for each line, with its figure; and what the bands and dots mean.
function Legend({ year, lines, hidden, hide, day }) {
  const kinds = [...new Set((year.spans ?? []).map((span) => span.kind))];
  const dots = (year.dots ?? []).filter((dot) => !dot.parting);
  const toggle = (key) => hide(hidden.symmetricDifference(new Set([key])));
  const sign = (kind, colour, text) => html`<span class=${kind} key=${text}><i
    style=${{ background: `var(--${colour})` }}></i>${text}</span>`;
  return html`<span class="chart-legend" role="group" aria-label="Lines">
    ${lines.map((line) => html`<button key=${line.key} type="button" aria-pressed=${!hidden.has(line.key)}
      onClick=${() => toggle(line.key)}><i class=${line.dash ? "dashed" : ""}
      style=${{ borderColor: `var(--${line.colour})` }}></i>${line.label} <output>${yuan(amountOn(line, day))}</output>
      </button>`)}
    ${kinds.map((kind) => sign("band", `span-${kind}`, SPANS[kind] ?? kind))}
    ${dots.length > 0 && sign("dot", "bad", "failure mode")}</span>`;
}

// Signs stand in two rows above their weeks; where there is no room for one it is a bar.
function Marks({ marks, range, style, press }) {
  if (!marks.length) return null;
  const least = (100 * MARK_WIDTH) / Math.max(MARK_WIDTH, innerWidth - LEFT - RIGHT);
  const taken = [-Infinity, -Infinity];
  const placed = marks.filter((mark) => range[0] <= mark.last && mark.day <= range[1]).map((mark) => {
    const at = (100 * ((mark.day + mark.last + 1) / 2 - range[0])) / (range[1] - range[0]);
    const row = taken.findIndex((end) => at - end >= least);
    if (row >= 0) taken[row] = at;
    return { mark, tight: row < 0, style: { left: `${at}%`, bottom: `${0.1 + Math.max(0, row) * 1.4}rem` } };
  });
  return html`<div class="chart-marks" role="group" aria-label="Marks of the review"
    style=${{ ...style, height: `${taken[1] > -Infinity ? 2.8 : 1.4}rem` }}>
    ${placed.map(({ mark, tight, style: where }) => html`<${Button} key=${mark.day} label=${mark.sign} style=${where}
      class=${`${mark.kind} ${tight ? "tight" : ""}`} title=${mark.text} aria-label=${`${mark.sign} ${mark.text}`}
      act=${() => press(mark)} />`)}</div>`;
}

function linesOf(year) {
  const points = year.value ?? [];
  const edge = (side) => {
    const values = Array(year.days + 1).fill(undefined); // not null: the line continues over days without a point
    for (const { day, value, band } of points) values[day] = value + side * band;
    return values;
  };
  return [
    { key: "total", label: "total assets at 08:00", colour: "ink", values: year.total, width: 2, area: true },
    ...["bank", "wallet", "escrow"].map((key) => ({ key, label: key, colour: key, values: year[key], width: 1.3 })),
    ...(year.others ?? []).map(({ name, curve }, at) => ({ key: `other-${at + 1}`, label: name, values: curve,
      colour: at < 3 ? `race-${at + 1}` : "muted", width: 1.6, dash: [6, 4] })),
    ...(points.length ? [{ key: "value", label: "the engine from here", colour: "engine", values: edge(0),
      band: [edge(1), edge(-1)], width: 2 }] : []),
  ];
}

// Whether the total assets of years differ tenfold, so that a linear axis would show some of them as flat.
function farApart(lines) {
  const totals = lines.filter(({ key }) => !["bank", "wallet", "escrow"].includes(key));
  const most = totals.map((line) => Math.max(1, ...line.values.filter((value) => value != null)));
  return Math.max(...most) > 10 * Math.min(...most);
}

function amountOn({ values }, day) {
  let at = Math.min(day, values.length - 1);
  while (at > 0 && values[at] === undefined) at -= 1;
  return values[at] ?? null;
}

// The days that a view of a year may show, from `from` to `to` where that fits.
function within(days, from, to) {
  const width = Math.min(days, Math.max(Math.min(LEAST_DAYS, days), to - from));
  const first = Math.max(0, Math.min(days - width, from));
  return [first, first + width];
}

function dateOf(start, day) {
  if (!start) return `day ${day}`;
  const date = new Date(Date.parse(start) + day * 86_400_000);
  return `${date.toISOString().slice(0, 10)}, day ${day}`;
}

// Events and promotions of a day, marks of the review, failure modes, and where another year's calls part.
function newsOf(year, day) {
  const during = (year.spans ?? []).filter((span) => span.first <= day && day <= span.last).map((span) => span.name);
  const marks = (year.marks ?? []).filter((mark) => mark.day <= day && day <= mark.last).map((mark) => mark.text);
  const dots = (year.dots ?? []).filter((dot) => dot.day === day).map((dot) => dot.text);
  const news = [...new Set([...marks, ...during, ...dots])];
  return news.length > MOST_NEWS ? [...news.slice(0, MOST_NEWS), `${news.length - MOST_NEWS} more`] : news;
}
