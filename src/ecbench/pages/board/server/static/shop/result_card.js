// A card of the result as a PNG: drawn on a canvas, saved by the visitor, sent nowhere.

import { html, useEffect, useRef, useState } from "../../components/preact.js";
import { yuan } from "../../components/dom.js";
import { useKept } from "./hooks.js";
import { dateOf, timesTheStake } from "./result_sentences.js";

const [WIDTH, HEIGHT, EDGE] = [1200, 630, 64];
const CURVE = { left: EDGE, top: 300, width: WIDTH - 2 * EDGE, height: 150 };
const INK = { paper: "#faf8f4", ink: "#22201c", muted: "#5f594f", line: "#ddd6c9", accent: "#2f6b4f", area: "#d6e8dc" };
const FONT = "system-ui, sans-serif";
const LONGEST_NAME = 40;

export function ResultCard({ store, end, attempt, best }) {
  const canvas = useRef(null);
  const [name, setName] = useKept({ path: "player", changed: () => store.changed() }, "name", ""); // the same for all years, in this browser alone
  const [withBest, setWithBest] = useState(true);
  const lines = linesOf(store, end, attempt, name, withBest ? best : null);
  useEffect(() => drawCard(canvas.current, lines, [...store.year.timeline.total, end.final_assets], end.stake));
  const save = () => canvas.current.toBlob((blob) => saveAs(blob, `ecbench-${attempt ? dateOf(attempt.date) : store.year.timeline.world}.png`));
  return html`<section class="panel" aria-label="A card to keep"><h1>A card to keep</h1>
    <div class="row"><label>Your name (optional, stays in this browser) <input type="text" maxlength=${LONGEST_NAME} value=${name} onInput=${(event) => setName(event.target.value)} /></label>
      ${best ? html`<label><input type="checkbox" checked=${withBest} onChange=${(event) => setWithBest(event.target.checked)} /> with the best decision</label>` : null}
      <button type="button" class="primary" onClick=${save}>Save the card</button></div>
    <canvas ref=${canvas} class="result-card" width=${WIDTH} height=${HEIGHT} role="img" aria-label=${`${lines.title}. ${lines.money}, ${lines.times}. ${lines.beside} ${lines.best} ${lines.name}`.trim()}></canvas></section>`;
}

function linesOf(store, end, attempt, name, best) {
  const { timeline } = store.year;
  return {
    title: attempt ? `Challenge of ${dateOf(attempt.date)}` : `${end.day} days on world ${timeline.world}`,
    money: yuan(end.final_assets),
    times: timesTheStake(end),
    beside: besideLine(end, attempt),
    best: best ? `Best decision (day ${best.day}, ${yuan(best.yuan)}): ${best.sentence}` : "",
    name: name.trim(),
  };
}

function besideLine(end, attempt) {
  if (attempt) return attempt.number === 1 ? "First attempt: it counts." : `Attempt ${attempt.number}: the first one counts.`;
  if (end.fork) return "A branch of another year.";
  const below = end.standings.find((row) => row.kind === "anchor" && row.final_assets < end.final_assets);
  return below ? `More than the merchant ${below.name} on the same world: ${yuan(below.final_assets)}.` : "";
}

function drawCard(canvas, lines, curve, stake) {
  const pen = canvas.getContext("2d");
  pen.fillStyle = INK.paper;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = INK.accent;
  pen.fillRect(0, 0, WIDTH, 12);
  write(pen, "E-Commerce Bench", 26, INK.muted, EDGE, 66);
  write(pen, lines.name, 30, INK.ink, WIDTH - EDGE, 66, "right");
  write(pen, lines.title, 44, INK.ink, EDGE, 128, "left", 600);
  write(pen, lines.money, 84, INK.accent, EDGE, 224, "left", 700);
  const right = EDGE + pen.measureText(lines.money).width + 28;
  write(pen, lines.times, 28, INK.muted, right, 192);
  write(pen, lines.beside, 28, INK.ink, right, 228);
  drawCurve(pen, curve, stake);
  wrapped(pen, lines.best, 25, 2).forEach((line, at) => write(pen, line, 25, INK.ink, EDGE, 528 + 36 * at));
  canvas.dataset.drawn = lines.money;
}

function drawCurve(pen, curve, stake) {
  const most = Math.max(stake, ...curve) * 1.05;
  const least = Math.min(0, ...curve);
  const x = (at) => CURVE.left + (CURVE.width * at) / Math.max(1, curve.length - 1);
  const y = (value) => CURVE.top + CURVE.height * (1 - (value - least) / (most - least));
  const trace = () => curve.forEach((value, at) => pen[at ? "lineTo" : "moveTo"](x(at), y(value)));
  pen.beginPath();
  trace();
  pen.lineTo(x(curve.length - 1), y(least));
  pen.lineTo(x(0), y(least));
  pen.fillStyle = INK.area;
  pen.fill();
  pen.setLineDash([6, 6]);
  line(pen, INK.muted, 1.5, () => { pen.moveTo(CURVE.left, y(stake)); pen.lineTo(CURVE.left + CURVE.width, y(stake)); });
  pen.setLineDash([]);
  line(pen, INK.accent, 4, trace);
  write(pen, `money day by day; dashed: the stake of ${yuan(stake)}`, 20, INK.muted, CURVE.left, CURVE.top + CURVE.height + 28);
}

function line(pen, colour, width, trace) {
  pen.beginPath();
  trace();
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke();
}

function write(pen, text, size, colour, x, y, align = "left", weight = 400) {
  pen.font = `${weight} ${size}px ${FONT}`;
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.fillText(text, x, y, align === "right" ? WIDTH / 2 : WIDTH - EDGE - x);
}

// The text in lines that fit the card; what is left over ends in dots.
function wrapped(pen, text, size, most) {
  pen.font = `400 ${size}px ${FONT}`;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= WIDTH - 2 * EDGE) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1].replace(/\W*$/, "")} …`] : lines;
}

function saveAs(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
