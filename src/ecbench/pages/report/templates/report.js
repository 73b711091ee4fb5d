// Years of a report: unpacked when they are opened, with their tables, negotiations and transcript.

import { callCard } from "./call_card.js";
import { enhance } from "./data_table.js";
import { el, put } from "./dom.js";
import { yuan } from "./format.js";
import { offerLadder } from "./offer_ladder.js";
import { showYear } from "./year_chart.js";

const PAGE = 150;
const byId = (id) => document.getElementById(id);

const unpack = async (id) => {
  const packed = byId(id)?.textContent.trim();
  if (!packed) return null;
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
};

// One promise a run: all callers wait for the same one.
const opened = new Map();
const open = (number) => {
  if (!opened.has(number)) opened.set(number, fill(number));
  return opened.get(number);
};
const fill = async (number) => {
  const box = byId("r" + number);
  const inside = box.querySelector(".inside");
  const html = await unpack("packed-" + number);
  if (html !== null) inside.innerHTML = html;
  for (const table of inside.querySelectorAll("table.sortable:not(.bargaining table, .standings table)")) enhance(table);
  await setUpCurve(box.querySelector(".curve"), number);
  const bargaining = box.querySelector(".bargaining");
  if (bargaining) await setUpLadders(bargaining, number);
  const place = box.querySelector(".transcript");
  return place ? setUpTranscript(place, number) : null;
};

const setUpCurve = async (box, number) => {
  const data = await unpack("curve-" + number);
  if (!box || !data) return;
  box.classList.add("drawn");
  showYear(box.querySelector(".year"), JSON.parse(data), (day) => `#r${number}-day-${day}`);
};

const setUpLadders = async (box, number) => {
  const data = JSON.parse(await unpack("ladders-" + number));
  const table = box.querySelector("table");
  const found = new Map(data.rows.map((row) => {
    const names = [data.suppliers[row[1]], data.goods[row[2]][1], data.kinds[row[3]]];
    const cells = [row[0], ...names, row[9] === null ? "no deal" : yuan(row[9], 2), yuan(row[5], 2)];
    const line = el("tr", {class: "pick", tabindex: 0}, cells.map((text, place) => el("td", [0, 4, 5].includes(place) ? {class: "number"} : {}, String(text))));
    return [line, {row, names}];
  }));
  const choose = (line) => {
    table.querySelector(".chosen")?.classList.remove("chosen");
    if (!line) return;
    line.classList.add("chosen");
    drawLadder(box, found.get(line));
  };
  const pick = (event) => choose(event.target.closest("tr.pick"));
  table.tBodies[0].addEventListener("click", pick);
  table.tBodies[0].addEventListener("keydown", (event) => { if (event.key === "Enter") pick(event); });
  table.tBodies[0].append(...found.keys());
  enhance(table, {changed: ([first]) => choose(first)});
  if (data.step > 1) box.querySelector(".left-out").textContent = `One in ${data.step} of the year's ${data.all.toLocaleString("en")} negotiations; a page of fewer years has more.`;
};

const drawLadder = (box, {row, names}) => {
  const [day, , , , reference, floor, wish, offers, quotes, price] = row;
  put(box.querySelector(".drawing"), offerLadder({quotes, offers, floor, reference, price}));
  const won = reference > floor && price !== null ? ((reference - price) / (reference - floor)).toFixed(2) : null;
  const ended = price === null ? "No deal." : `Closed at ${yuan(price, 2)}` + (won === null ? "." : `, which wins ${won} of the range.`);
  box.querySelector("figcaption p").textContent =
    `Day ${day}, ${names[0]}, ${names[1]} (${names[2]}). The supplier meant to open at ${yuan(wish, 2)}. ${ended}`;
};

const setUpTranscript = async (box, number) => {
  const text = await unpack("transcript-" + number);
  const count = box.querySelector(".count"), list = box.querySelector(".turns"), more = box.querySelector(".more");
  if (text === null) {
    box.querySelector(".filters").hidden = true;
    list.hidden = true;
    count.textContent = "Left out: the page would be too large. Report this run alone, or look at events.jsonl.";
    return null;
  }
  const data = JSON.parse(text);
  const fields = Object.fromEntries(["seek", "day", "supplier", "tool", "clear"].map((name) => [name, box.querySelector("." + name)]));
  const add = (field, names) => [...names].sort().forEach((name) => field.append(new Option(name, name)));
  add(fields.supplier, data.suppliers);
  add(fields.tool, data.tools);
  const calls = data.turns.flatMap(([turn, day, until, said, made]) => {
    const entries = made.map(([tool, supplier, view, asked, answered]) => ({
      turn, day, until, tool: data.tools[tool], supplier: supplier < 0 ? "" : data.suppliers[supplier], asked, answered, view,
    }));
    return said ? [{turn, day, until, tool: "says", supplier: "", asked: said, answered: ""}, ...entries] : entries;
  });
  let found = calls, shown = 0;
  const matches = (call, wanted) =>
    (fields.day.value === "" || (call.day <= Number(fields.day.value) && Number(fields.day.value) <= call.until)) &&
    (!fields.supplier.value || call.supplier === fields.supplier.value) &&
    (!fields.tool.value || call.tool === fields.tool.value) &&
    (!wanted || `${call.tool} ${call.supplier} ${call.view ?? ""} ${call.asked} ${call.answered}`.toLowerCase().includes(wanted));
  const show = () => {
    const wanted = fields.seek.value.toLowerCase();
    for (const call of found.slice(shown, shown + PAGE)) {
      const days = call.until > call.day ? `Day ${call.day} to ${call.until}` : `Day ${call.day}`;
      if (list.dataset.day !== days) list.append(el("h4", {}, days));
      list.dataset.day = days;
      const line = call.tool === "says" ? el("div", {class: "call card"}, el("h3", {}, el("b", {}, "says")), el("div", {class: "quote thought"}, call.asked)) :
        callCard({title: call.tool.replaceAll("_", " ") + (call.supplier ? " · " + call.supplier : ""), notes: [`turn ${call.turn}`], view: call.view, raw: () => [call.asked, call.answered]});
      if (wanted) highlight(line, wanted);
      list.append(line);
    }
    shown = Math.min(shown + PAGE, found.length);
    more.hidden = shown >= found.length;
    count.textContent = `${found.length.toLocaleString("en")} of ${calls.length.toLocaleString("en")} calls` +
      `; texts beyond ${data.longest.toLocaleString("en")} characters are cut`;
  };
  const filter = () => {
    const wanted = fields.seek.value.toLowerCase();
    found = calls.filter((call) => matches(call, wanted));
    shown = 0;
    list.replaceChildren();
    list.dataset.day = "";
    list.scrollTop = 0;
    show();
  };
  for (const name of ["seek", "day", "supplier", "tool"]) fields[name].addEventListener("input", filter);
  fields.clear.addEventListener("click", () => {
    for (const name of ["seek", "day", "supplier", "tool"]) fields[name].value = "";
    filter();
  });
  more.addEventListener("click", show);
  filter();
  return {set: (name, value) => {
    for (const other of ["seek", "day", "supplier", "tool"]) fields[other].value = "";
    fields[name].value = value;
    filter();
  }};
};

// Marks what was searched for, and opens the JSON where it is nowhere else.
const highlight = (box, wanted) => {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const place = text.data.toLowerCase().indexOf(wanted);
    if (place < 0) continue;
    const rest = text.splitText(place);
    rest.splitText(wanted.length);
    rest.replaceWith(el("mark", {}, rest.data));
  }
  const raw = box.querySelector("details.raw");
  if (raw) raw.open = !box.querySelector(":scope > :not(.raw) mark");
};

// Links such as #r0-day-45 and #r0-supplier-NAME set the transcript to what they name.
const follow = async () => {
  const target = decodeURIComponent(location.hash.slice(1));
  const parts = /^r(\d+)(?:-(day|supplier)-(.+)|.*)$/s.exec(target);
  if (!parts || !byId("r" + parts[1])) return;
  const box = byId("r" + parts[1]);
  box.open = true;
  const book = await open(parts[1]);
  if (parts[2] && book) {
    book.set(parts[2], parts[3]);
    box.querySelector(".transcript").scrollIntoView();
  } else {
    const place = byId(target) ?? box;
    if (place.tagName === "DETAILS") place.open = true;
    place.scrollIntoView();
  }
};

for (const table of document.querySelectorAll(".standings table.sortable")) enhance(table);
for (const box of document.querySelectorAll("section.run")) open(box.dataset.run);
for (const box of document.querySelectorAll("details.run")) {
  box.addEventListener("toggle", () => { if (box.open) open(box.dataset.run); });
  if (box.open) open(box.dataset.run);
}
const all = byId("open-all");
if (all) {
  all.hidden = false;
  all.addEventListener("click", () => document.querySelectorAll("details.run").forEach((box) => { box.open = true; }));
}
addEventListener("beforeprint", () => document.querySelectorAll("details.fold").forEach((box) => { box.open = true; }));
addEventListener("hashchange", follow);
// The same link may be followed twice.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("a[href^='#r']")?.getAttribute("href") === location.hash) follow();
});
follow();
