// A card of the result as a PNG, a line of text and a code: made here, saved by the visitor, sent nowhere.

import { yuan } from "../../../../components/static/format.js";
import { html, useEffect, useRef, useState } from "../../../../components/static/preact.js";
import { endingWords } from "../page.js";
import { useKept } from "./hooks.js";
import { dateOf, timesTheStake } from "./result_sentences.js";

const [WIDTH, HEIGHT, EDGE] = [1200, 630, 64];
const CURVE = { left: EDGE, top: 300, width: WIDTH - 2 * EDGE, height: 190 };
const INK = { paper: "#faf8f4", ink: "#22201c", muted: "#5f594f", line: "#ddd6c9", accent: "#2f6b4f", bad: "#a8392f",
  area: "#d6e8dc", par: ["#3f6b8a", "#b98a2e", "#8c7bb0"] };
const FONT = "system-ui, sans-serif";
const LONGEST_NAME = 40;

export function ResultCard({ store, result }) {
  const canvas = useRef(null);
  const [name, setName] = useKept({ path: "player", changed: () => store.changed() }, "name", "");
    // the same for all years, in this browser alone
  const [copied, setCopied] = useState(false);
  const { end, attempt, par, code } = result;
  const lines = linesOf(store, end, attempt, par, name);
  useEffect(() => drawCard(canvas.current, lines, [...store.year.timeline.total, end.final_assets], end.stake, par));
  const save = () => canvas.current.toBlob((blob) => saveAs(blob,
    `ecbench-${attempt ? dateOf(attempt.date) : store.year.timeline.world}.png`));
  const text = `${lines.title}: ${lines.money}, ${lines.ended}. ${lines.beside}${code ? ` Play it: ${code}` : ""}`;
  const copy = () => navigator.clipboard?.writeText(text).then(() => setCopied(true), () => {});
  return html`<section class="panel" aria-label="A card to send"><h1>A card to send</h1>
    <div class="row"><label>Your name (optional, stays in this browser) <input type="text" maxlength=${LONGEST_NAME}
      value=${name} onInput=${(event) => setName(event.target.value)} /></label>
      <button type="button" class="primary" onClick=${save}>Save the card</button></div>
    <canvas ref=${canvas} class="result-card" width=${WIDTH} height=${HEIGHT} role="img"
      aria-label=${`${lines.title}. ${lines.money}, ${lines.times}, ${lines.ended}. ${lines.beside} ${lines.name}`.trim(
      )}></canvas>
    <div class="row share"><label class="grow">A line to paste <input type="text" readonly value=${text}
      onFocus=${(event) => event.target.select()} /></label>
      <button type="button" onClick=${copy}>${copied ? "Copied" : "Copy"}</button></div>
    ${code ? html`<p>The code of this game: <code class="code">${code}</code>. On any installation, <code>ecbench board
      </code> opens the same game from it: the same world, days and rules.</p>` : null}</section>`;
}

// Nothing on the card names a product, a trade or a supplier: who plays later must not be told.
function linesOf(store, end, attempt, par, name) {
  const { timeline } = store.year;
  const ahead = par.filter((each) => each.final_assets < end.final_assets).map((each) => each.name);
  const behind = par.filter((each) => each.final_assets >= end.final_assets).map((each) => each.name);
  const against = [ahead.length ? `ahead of ${ahead.join(", ")}` : "", behind.length ? `behind ${behind.join(", ")}`
    : ""].filter(Boolean).join("; ");
  return {
    title: attempt ? `Challenge of ${dateOf(attempt.date)}` : `${timeline.days} days on world ${timeline.world}`,
    money: yuan(end.final_assets),
    times: timesTheStake(end),
    ended: end.ending === "bankruptcy" ? `bankrupt on day ${end.day}` : end.ending === "year_end"
      ? `${end.day} days played` : endingWords(end.ending),
    bankrupt: end.ending === "bankruptcy",
    beside: `${attempt && attempt.number > 1 ? `Attempt ${attempt.number}; the first one counts. ` : end.fork
      ? "A branch of another game. " : ""}${against ? `${against[0].toUpperCase()}${against.slice(1)}.` : ""}`,
    name: name.trim(),
  };
}

function drawCard(canvas, lines, curve, stake, par) {
  const pen = canvas.getContext("2d");
  pen.fillStyle = INK.paper;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = lines.bankrupt ? INK.bad : INK.accent;
  pen.fillRect(0, 0, WIDTH, 12);
  write(pen, "E-Commerce Bench", 26, INK.muted, EDGE, 66);
  write(pen, lines.name, 30, INK.ink, WIDTH - EDGE, 66, "right");
  write(pen, lines.title, 44, INK.ink, EDGE, 128, "left", 600);
  write(pen, lines.money, 84, lines.bankrupt ? INK.bad : INK.accent, EDGE, 224, "left", 700);
  const right = EDGE + pen.measureText(lines.money).width + 28;
  write(pen, `${lines.times}, ${lines.ended}`, 28, INK.muted, right, 188);
  write(pen, lines.beside, 28, INK.ink, right, 226);
  drawCurves(pen, curve, stake, par);
  canvas.dataset.drawn = lines.money;
}

function drawCurves(pen, curve, stake, par) {
  const all = [...curve, ...par.flatMap((each) => each.curve)];
  const most = Math.max(stake, ...all) * 1.05;
  const least = Math.min(0, ...all);
  const days = Math.max(1, curve.length - 1);
  const x = (at) => CURVE.left + (CURVE.width * Math.min(at, days)) / days;
  const y = (value) => CURVE.top + CURVE.height * (1 - (value - least) / (most - least));
  const trace = (values) => values.forEach((value, at) => pen[at ? "lineTo" : "moveTo"](x(at), y(value)));
  pen.beginPath();
  trace(curve);
  pen.lineTo(x(days), y(least));
  pen.lineTo(x(0), y(least));
  pen.fillStyle = INK.area;
  pen.fill();
  pen.setLineDash([6, 6]);
  line(pen, INK.muted, 1.5, () => { pen.moveTo(CURVE.left, y(stake)); pen.lineTo(CURVE.left + CURVE.width, y(stake));
    });
  pen.setLineDash([]);
  par.forEach((each, at) => line(pen, INK.par[at % INK.par.length], 2.5, () => trace(each.curve)));
  line(pen, INK.accent, 5, () => trace(curve));
  const foot = CURVE.top + CURVE.height + 34;
  write(pen, `money day by day; dashed: the stake of ${yuan(stake)}`, 20, INK.muted, CURVE.left, foot);
  par.forEach((each, at) => write(pen, `— ${each.name}`, 22, INK.par[at % INK.par.length], CURVE.left + 190 * at,
    foot + 40, "left", 600));
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

function saveAs(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
