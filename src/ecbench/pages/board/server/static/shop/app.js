// The page of a year: the bar, one of the screens, the coach, and the keys that lead to them.

import { Button, Confirm } from "../../../../components/static/controls.js";
import { html, render, useEffect, useRef, useState } from "../../../../components/static/preact.js";
import { ask, send } from "../page.js";
import { Goods } from "./screens/goods.js";
import { Market } from "./screens/market.js";
import { Money } from "./screens/money.js";
import { Stores, storesViews } from "./screens/stores.js";
import { Suppliers, suppliersViews } from "./screens/suppliers.js";
import { Today, todayViews } from "./screens/today.js";
import { Warehouse } from "./screens/warehouse.js";
import { LastTurn, PositionPanel, Timeline } from "./watching.js";
import { LookBackBar, TopBar, titleOfYear } from "./top_bar.js";
import { YearStore, kept, useBasket, useKept, useKeys, useStore } from "./store.js";

// Each with an icon, a component, and the views of a turn that it shows.
const SCREENS = /** @type {[string, string, any, (store: any) => string[]][]} */ ([
  ["Today", "M4 5h16v15H4zM4 9h16M8 3v4M16 3v4M8 14l3 3 5-5", Today, todayViews],
  ["Market", "M4 20V10M10 20V4M16 20v-8M3 20h18", Market, () => ["learned"]],
  ["Goods", "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z", Goods, () => ["learned"]],
  ["Suppliers", "M3 5h18v12H9l-5 4v-4H3zM7 9h10M7 13h6", Suppliers, suppliersViews],
  ["Stores", "M3 9l2-5h14l2 5M4 9v11h16V9M3 9h18M9 20v-6h6v6", Stores, storesViews],
  ["Warehouse", "M3 20V9l9-5 9 5v11M7 20v-8h10v8M7 16h10", Warehouse, () => []],
  ["Money", "M7 4l5 8 5-8M12 12v8M7 13h10M7 16h10", Money, () => ["accounts"]],
]).map(([title, icon, screen, views]) => ({ name: title.toLowerCase(), title, icon, screen, views }));
const WATCHING = [["← →", "the day before, the next day"], ["Shift ← →", "the turn before, the next turn"],
  ["Home, End", "the first day, the last"], ["p", "play the days, pause"],
  ["f", "follow an episode that is being played"], ["m, Shift m", "the next marked week of the review, the one before"],
  ["+ - 0 l", "on the chart: zoom in, zoom out, all days, log scale"], ["h", "hidden truth on and off"]];
const PLAYING = [["Shift C", "close the day"]];
const KEYS = [["1 to 7", "the seven screens"], ["Tab, Shift Tab", "the next control, the one before"],
  ["Space", "tick a box, press a button"], ["Enter", "send a form, press a button"],
  ["← → ↑ ↓", "move the slider or change the option that has the focus"],
  ["Escape", "leave a question, close this list"], ["?", "this list"]];
const TRIES = 40; // frames in which the control of a step is looked for
const POINTED_MS = 4000;
const DRAWN_MS = 100; // in which the screen is drawn that has the control
const FIRST_LOOK_MS = 300; // each look at a replay waits half as long again as the one before

const [, , run, episode] = location.pathname.split("/");
const store = new YearStore(run, episode);

function addressOf(name) {
  return `/runs/${run}/${episode}/${name}`;
}

// An address that names no screen means the first one, and is completed.
function screenOfAddress() {
  const [, , , , name] = location.pathname.split("/");
  const screen = SCREENS.find((each) => each.name === name) ?? SCREENS[0];
  if (screen.name !== name) history.replaceState(null, "", `${addressOf(screen.name)}${location.search}`);
  return screen;
}

// The screen that the address names; the keys 1 to 7 and the browser's own buttons lead to others.
function useScreen() {
  const [screen, show] = useState(screenOfAddress);
  const open = (next, keepMessage = false) => {
    if (!keepMessage) store.say("");
    history.pushState(null, "", `${addressOf(next.name)}${location.search}`);
    show(next);
  };
  useKeys(Object.fromEntries(SCREENS.map((each, at) => [String(at + 1), () => open(each)])));
  useEffect(() => {
    const back = () => show(screenOfAddress());
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  return [screen, open];
}

function App() {
  useStore(store);
  const [screen, open] = useScreen();
  if (!store.year) return html`<${Opening} />`;
  document.title = `${screen.title}: ${titleOfYear(store.year)} - E-Commerce Bench`;
  const goTo = (name, keepMessage) => open(SCREENS.find((each) => each.name === name), keepMessage);
  const below = html`${store.position && html`<${Tabs} screen=${screen} open=${open} />`}<${Message} />
    ${store.playing && html`<${CoachPanel} goTo=${goTo} screen=${screen.name} />`}`;
  return html`<div class="head"><${TopBar} store=${store} />
      ${store.lookingBack && html`<${LookBackBar} store=${store} />`}${store.year.playable && below}</div>
    ${!store.year.playable && html`<${Withheld} /><${Timeline} store=${store} />${below}`}
    ${store.position && html`<${Shop} screen=${screen} goTo=${goTo} />`}`;
}

// What the last action did, failures first; or that the server is waited for.
function Message() {
  const waiting = `Waiting for the ${store.year.playable && store.year.shared ? "rivals" : "server"} …`;
  const told = store.slow ? [{ text: waiting, bad: false }] : store.message ?? [];
  return html`<div class="message-line"><p class=${told.some((each) => each.bad) ? "message bad" : "message"}
    role="status" aria-live="polite">
      ${told.map((each) => html`<span class=${each.bad ? "bad" : ""}>${each.text} </span>`)}</p>
    ${told.length > 0 && !store.slow && html`<${Button} label="×" aria-label="Dismiss the message"
      act=${() => store.say("")} />`}</div>`;
}

// Why the turns of this year are hidden, and the way to the game that hides them.
function Withheld() {
  const { withheld, in_play: played } = store.year;
  if (!withheld || !played) return null;
  const end = () => store.attempt(async () => {
    await send(`/api/runs/${played.run}/${played.episode}/finish`, {});
    location.reload();
  });
  return html`<section class="panel withheld" aria-label="Why this is hidden"><p>${withheld}</p>
    <p class="row"><a class="button" href=${`/runs/${played.run}/${played.episode}/today`}>Go to that game</a>
      <${Confirm} label="End that game …" yes="End it" act=${end}
        question=${`This ends ${played.folder} for good.`} /></p></section>`;
}

function Tabs({ screen, open }) {
  return html`<nav class="screens" aria-label="Screens">
    ${SCREENS.map((each, at) => html`<a key=${each.name} href=${addressOf(each.name)}
      aria-current=${each === screen ? "page" : null} onClick=${(event) => { event.preventDefault(); open(each); }}>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${each.icon} /></svg>
      <kbd aria-hidden="true">${at + 1}</kbd> ${each.title}</a>`)}
    <${Shortcuts} /></nav>`;
}

function Shortcuts() {
  const dialog = useRef(null);
  const show = () => dialog.current.showModal();
  useKeys({ "?": show });
  return html`<${Button} class="keys" aria-haspopup="dialog" title="Keyboard shortcuts" aria-label="Keyboard shortcuts"
      label="?" act=${show} />
    <dialog ref=${dialog} aria-label="Keyboard shortcuts"><h2>Keyboard shortcuts</h2>
      <dl>${[...KEYS, ...(store.year.playable ? PLAYING : WATCHING)]
        .map(([keys, text]) => html`<dt>${keys}</dt><dd>${text}</dd>`)}</dl>
      <form method="dialog"><button>Close</button></form></dialog>`;
}

function Shop({ screen, goTo }) {
  const place = useRef(null);
  const shown = useRef(screen);
  const views = screen.views(store);
  const asked = [...views, ...(store.playing && !kept(store, "coach off") ? ["advice"] : [])];
  const ready = views.every((name) => name.includes("/") || store.shown[name]);
  useEffect(() => { store.show(asked); }, [asked.join()]);
  useEffect(() => {
    if (shown.current !== screen) scrollTo(0, 0);
    // A control that has gone after its action leaves the focus at the screen, not at the top of the page.
    const lost = document.activeElement === document.body && (store.turn > 0 || shown.current !== screen);
    if (lost) place.current.focus({ preventScroll: true });
    shown.current = screen;
  }, [screen, store.turn]);
  return html`<main ref=${place} tabindex="-1" aria-busy=${store.busy > 0} data-turn=${store.turn}
    aria-label=${screen.title}>
    ${store.asked && html`<${PositionPanel} store=${store} />`}
    ${ready ? html`<${screen.screen} key=${screen.name} store=${store} goTo=${goTo} />`
      : html`<p class="muted">Looking …</p>`}
    ${!store.year.playable && html`<${LastTurn} store=${store} />`}</main>`;
}

// The goal, the next sensible step and why, for the first days of a player's year.
function CoachPanel({ goTo, screen }) {
  const [, turnOff] = useKept(store, "coach off", false);
  const [why, showWhy] = useState(true);
  const { advice } = store.shown;
  const [basket] = useBasket(store);
  if (!advice) return null;
  const where = advice.screen === "goods" && basket.size ? "suppliers" : advice.screen;
  const lead = () => {
    if (where !== screen) goTo(where, true);
    setTimeout(() => point(advice.controls), DRAWN_MS);
  };
  return html`<aside class="coach" aria-label="Coach"><div><strong>Step ${advice.step} of ${advice.steps}${": "}
      ${advice.title}</strong>${why && html`<p>${advice.why}</p>`}</div>
    <div class="row"><${Button} class="primary" label="Show me where" act=${lead} />
      <${Button} aria-expanded=${why} label=${why ? "Less" : "Why?"} act=${() => showWhy(!why)} />
      <${Button} label="Turn the coach off" act=${() => turnOff(true)} /></div></aside>`;
}

// Scrolls to the first control whose text begins with one of `controls`, and outlines it for a moment.
function point(controls, tries = TRIES) {
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("main button, main input, .top-bar button")]);
  const nameOf = (each) => (each.getAttribute("aria-label") ?? each.innerText).trim();
  const found = controls.map((text) => all.find((each) => nameOf(each).startsWith(text))).find(Boolean);
  if (!found) {
    if (tries) requestAnimationFrame(() => point(controls, tries - 1));
    return;
  }
  found.scrollIntoView({ block: "center" });
  found.focus({ preventScroll: true });
  found.classList.add("pointed");
  setTimeout(() => found.classList.remove("pointed"), POINTED_MS);
}

// While a long year is replayed: how far that is.
function Opening() {
  const [share, show] = useState(0);
  useEffect(() => {
    let [wait, timer] = [FIRST_LOOK_MS, null];
    const look = async () => {
      const { done, whole } = await ask(`${store.path}/opening`).catch(() => ({}));
      if (whole) show(done / whole);
      wait *= 1.5;
      timer = setTimeout(look, wait);
    };
    timer = setTimeout(look, wait);
    return () => clearTimeout(timer);
  }, []);
  if (store.message) {
    return html`<p class="opening bad" role="status">${store.message[0].text} <a href="/">All games</a></p>`;
  }
  return html`<p class="opening" role="status">Loading every turn of the game … <progress max="1" value=${share}
    aria-label="Opening the year"></progress></p>`;
}

render(html`<${App} />`, document.getElementById("app"));
store.open(new URLSearchParams(location.search));
