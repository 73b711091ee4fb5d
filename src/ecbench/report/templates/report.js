"use strict";
(() => {
  const PAGE = 150;
  const byId = (id) => document.getElementById(id);
  const make = (kind, name, text) => {
    const node = document.createElement(kind);
    if (name) node.className = name;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const yuan = (amount) => "¥" + amount.toLocaleString("en", {minimumFractionDigits: 2, maximumFractionDigits: 2});

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
    const bargaining = box.querySelector(".bargaining");
    if (bargaining) await setUpLadders(bargaining, number);
    const place = box.querySelector(".transcript");
    return place ? setUpTranscript(place, number) : null;
  };

  const setUpLadders = async (box, number) => {
    const data = JSON.parse(await unpack("ladders-" + number));
    const body = box.querySelector("tbody"), seek = box.querySelector(".seek"), count = box.querySelector(".count");
    const rows = data.rows.map((row) => ({
      row, supplier: data.suppliers[row[1]], sku: data.goods[row[2]], kind: data.kinds[row[3]],
    }));
    const choose = (found, line) => {
      body.querySelector(".chosen")?.classList.remove("chosen");
      line?.classList.add("chosen");
      drawLadder(box, found);
    };
    const list = () => {
      const wanted = seek.value.toLowerCase();
      const found = rows.filter((each) => (each.supplier + " " + each.sku + " " + each.kind).toLowerCase().includes(wanted));
      body.replaceChildren(...found.slice(0, PAGE).map((each) => {
        const line = make("tr", "pick");
        line.tabIndex = 0;
        const price = each.row[9] === null ? "no deal" : yuan(each.row[9]);
        const cells = [each.row[0], each.supplier, each.sku, each.kind, price, yuan(each.row[5])];
        line.append(...cells.map((text, place) => make("td", [0, 4, 5].includes(place) ? "number" : "", String(text))));
        line.addEventListener("click", () => choose(each, line));
        line.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(each, line); });
        return line;
      }));
      count.textContent = `${found.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} negotiations` +
        (found.length > PAGE ? `, the first ${PAGE} are listed` : "") +
        (data.step > 1 ? `; they are one in ${data.step} of the year's ${data.all.toLocaleString("en")}, a page of fewer years has more` : "");
      if (found.length) choose(found[0], body.firstElementChild);
    };
    seek.addEventListener("input", list);
    list();
  };

  const drawLadder = (box, found) => {
    const [day, , , , reference, floor, wish, ours, theirs, price] = found.row;
    const all = [...ours, ...theirs, reference, floor].concat(price === null ? [] : [price]);
    const low = Math.min(...all) * 0.95, high = Math.max(...all) * 1.05;
    const steps = Math.max(ours.length, theirs.length, 2);
    const x = (step) => 20 + (step * 240) / (steps - 1 || 1), y = (value) => 190 - ((value - low) / (high - low || 1)) * 180;
    const space = "http://www.w3.org/2000/svg";
    const shape = (kind, attributes, text) => {
      const node = document.createElementNS(space, kind);
      for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
      if (text !== undefined) node.textContent = text;
      return node;
    };
    const svg = shape("svg", {viewBox: "0 0 400 225", role: "img", "aria-label": "Offers of both sides, by round"});
    for (const [name, value] of [["floor", floor], ["reference", reference]]) {
      svg.append(shape("line", {class: name, x1: 10, x2: 270, y1: y(value), y2: y(value), "stroke-dasharray": "4 3"}));
      svg.append(shape("text", {x: 275, y: y(value) + 4, class: "note"}, `${name} ${value}`));
    }
    for (const [name, prices] of [["us", ours], ["them", theirs]]) {
      svg.append(shape("polyline", {class: name, points: prices.map((p, step) => `${x(step)},${y(p)}`).join(" ")}));
      prices.forEach((p, step) => svg.append(shape("circle", {class: name, cx: x(step), cy: y(p), r: 3})));
    }
    if (price !== null) svg.append(shape("circle", {class: "deal", cx: x(steps - 1), cy: y(price), r: 7}));
    svg.append(shape("circle", {class: "us", cx: 20, cy: 215, r: 4}), shape("text", {x: 30, y: 219}, "agent"));
    svg.append(shape("circle", {class: "them", cx: 90, cy: 215, r: 4}), shape("text", {x: 100, y: 219}, "supplier"));
    box.querySelector(".drawing").replaceChildren(svg);
    const won = reference > floor && price !== null ? ((reference - price) / (reference - floor)).toFixed(2) : null;
    const ended = price === null ? "No deal." : `Closed at ${yuan(price)}` + (won === null ? "." : `, which wins ${won} of the range.`);
    box.querySelector("figcaption p").textContent =
      `Day ${day}, ${found.supplier}, ${found.sku} (${found.kind}). The supplier meant to open at ${yuan(wish)}. ${ended}`;
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
      const entries = made.map(([tool, supplier, asked, answered]) => ({
        turn, day, until, tool: data.tools[tool], supplier: supplier < 0 ? "" : data.suppliers[supplier], asked, answered,
      }));
      return said ? [{turn, day, until, tool: "says", supplier: "", asked: said, answered: ""}, ...entries] : entries;
    });
    let found = calls, shown = 0;
    const matches = (call, wanted) =>
      (fields.day.value === "" || (call.day <= Number(fields.day.value) && Number(fields.day.value) <= call.until)) &&
      (!fields.supplier.value || call.supplier === fields.supplier.value) &&
      (!fields.tool.value || call.tool === fields.tool.value) &&
      (!wanted || `${call.tool} ${call.supplier} ${call.asked} ${call.answered}`.toLowerCase().includes(wanted));
    const show = () => {
      const wanted = fields.seek.value.toLowerCase();
      for (const call of found.slice(shown, shown + PAGE)) {
        const days = call.until > call.day ? `Day ${call.day} to ${call.until}` : `Day ${call.day}`;
        if (list.dataset.day !== days) list.append(make("h4", "", days));
        list.dataset.day = days;
        const line = make("div", "call");
        line.append(make("b", "", call.tool + (call.supplier ? " · " + call.supplier : "")), ` turn ${call.turn}\n`);
        line.append(marked("asked", call.asked, wanted), marked("answered", call.answered, wanted));
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

  const marked = (name, text, wanted) => {
    const node = make("span", name);
    const place = wanted ? text.toLowerCase().indexOf(wanted) : -1;
    if (place < 0) node.textContent = text;
    else node.append(text.slice(0, place), make("mark", "", text.slice(place, place + wanted.length)), text.slice(place + wanted.length));
    return node;
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
      (byId(target) ?? box).scrollIntoView();
    }
  };

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
  addEventListener("hashchange", follow);
  // The same link may be followed twice.
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("a[href^='#r']")?.getAttribute("href") === location.hash) follow();
  });
  follow();
})();
