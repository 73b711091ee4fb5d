// The page of a year: the bar, one of the screens, the coach, and the keys that lead to them.

import { Button, Confirm, html, render, useEffect, useRef, useState } from "../../../../components/static/kit.js";
import { send } from "../page.js";
import { Goods } from "./screens/goods.js";
import { Market } from "./screens/market.js";
import { Money } from "./screens/money.js";
import { Stores, storesViews } from "./screens/stores.js";
import { Suppliers, suppliersViews } from "./screens/suppliers.js";
import { Today, todayViews } from "./screens/today.js";
import { Warehouse } from "./screens/warehouse.js";
import { LastTurn, Timeline } from "./watching.js";
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
const TRIES = 40; // frames in which the control of a step is looked for
const POINTED_MS = 4000;
const DRAWN_MS = 100; // in which the screen is drawn that has the control

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
  const showKeys = () => /** @type {HTMLDialogElement} */ (document.getElementById("keys")).showModal();
  useKeys({ "?": showKeys });
  return html`<nav class="screens" aria-label="Screens">
    ${SCREENS.map((each, at) => html`<a key=${each.name} href=${addressOf(each.name)}
      aria-current=${each === screen ? "page" : null} onClick=${(event) => { event.preventDefault(); open(each); }}>
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${each.icon} /></svg>
      <kbd aria-hidden="true">${at + 1}</kbd> ${each.title}</a>`)}
    <${Button} class="keys" aria-haspopup="dialog" title="Keyboard shortcuts" aria-label="Keyboard shortcuts"
      label="?" act=${showKeys} /></nav>`;
}

function Shop({ screen, goTo }) {
  const place = useRef(null);
  const shown = useRef(screen);
  const views = [...screen.views(store), ...(store.year.playable ? [] : ["did"])];
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
    ${ready ? html`<${screen.screen} key=${screen.name} store=${store} goTo=${goTo} />`
      : html`<p class="muted">Looking …</p>`}
    ${!store.year.playable && html`<${LastTurn} store=${store} />`}</main>`;
}

// The goal, the next sensible step and why, for the first days of a player's year.
function CoachPanel({ goTo, screen }) {
  const [, turnOff] = useKept(store, "coach off", false);
  const { advice } = store.shown;
  const [basket] = useBasket(store);
  if (!advice) return null;
  const where = advice.screen === "goods" && basket.size ? "suppliers" : advice.screen;
  const lead = () => {
    if (where !== screen) goTo(where, true);
    setTimeout(() => point(advice.controls), DRAWN_MS);
  };
  return html`<aside class="coach" aria-label="Coach"><details open><summary>
      Step ${advice.step} of ${advice.steps}: ${advice.title}</summary><p>${advice.why}</p></details>
    <div class="row"><${Button} class="primary" label="Show me where" act=${lead} />
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

// While a long year is replayed.
function Opening() {
  const problem = store.message?.[0].text;
  return problem ? html`<p class="opening bad" role="status">${problem} <a href="/">All games</a></p>`
    : html`<p class="opening" role="status">Loading every turn of the game … <progress aria-label="Opening the year">
      </progress></p>`;
}

render(html`<${App} />`, document.getElementById("app"));
store.open(new URLSearchParams(location.search));
