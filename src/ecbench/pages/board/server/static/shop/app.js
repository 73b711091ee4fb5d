// The page of a year: the bar, one of the screens, and the keys that lead to them.

import { html, render, useEffect, useRef, useState } from "../../../../components/static/preact.js";
import { send } from "../page.js";
import { CoachPanel } from "./coach_panel.js";
import { isTyping, useStore } from "./hooks.js";
import { LastTurn } from "./last_turn.js";
import { LookBackBar } from "./look_back.js";
import { Opening } from "./opening.js";
import { PositionPanel } from "./position_of_day.js";
import { SCREENS } from "./screens.js";
import { Shortcuts } from "./shortcuts.js";
import { Timeline, titleOfYear } from "./timeline.js";
import { TopBar } from "./top_bar.js";
import { YearStore } from "./year_store.js";

const [, , run, episode] = location.pathname.split("/");
const store = new YearStore(run, episode);

// An address that names no screen means the first one, and is completed.
function screenOfAddress() {
  const [, , , , name] = location.pathname.split("/");
  const screen = SCREENS.find((each) => each.name === name) ?? SCREENS[0];
  if (screen.name !== name) history.replaceState(null, "", `/runs/${run}/${episode}/${screen.name}${location.search}`);
  return screen;
}

// The screen that the address names; the keys 1 to 7 and the browser's own buttons lead to others.
function useScreen() {
  const [screen, show] = useState(screenOfAddress);
  const open = (next, keepMessage = false) => {
    if (!keepMessage) store.say("");
    history.pushState(null, "", `/runs/${run}/${episode}/${next.name}${location.search}`);
    show(next);
  };
  useEffect(() => {
    const back = () => show(screenOfAddress());
    const key = (event) => {
      const next = SCREENS[Number(event.key) - 1];
      if (next && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) open(next);
    };
    addEventListener("popstate", back);
    addEventListener("keydown", key);
    return () => { removeEventListener("popstate", back); removeEventListener("keydown", key); };
  }, []);
  return [screen, open];
}

function App() {
  useStore(store);
  const [screen, open] = useScreen();
  if (!store.year) return html`<${Opening} store=${store} />`;
  document.title = `${screen.title}: ${titleOfYear(store.year)} - E-Commerce Bench`;
  const goTo = (name, keepMessage) => open(SCREENS.find((each) => each.name === name), keepMessage);
  const below = html`${store.position ? html`<${Tabs} screen=${screen} open=${open} />` : null}<${Message} />
    ${store.playing ? html`<${CoachPanel} store=${store} goTo=${goTo} screen=${screen.name} />` : null}`;
  return html`<div class="head"><${TopBar} store=${store} />
    ${store.lookingBack ? html`<${LookBackBar} store=${store} />` : null}
      ${store.year.playable ? below : null}</div>
    ${store.year.playable ? null : html`<${Withheld} /><${Timeline} store=${store} />${below}`}
    ${store.position ? html`<${Shop} screen=${screen} goTo=${goTo} />` : null}`;
}

// What the last action did, failures first; or that the server is waited for.
function Message() {
  const waiting = store.preparing ? "Making the game ready for your first action since the server was started …"
    : store.year.playable && store.year.rivals.length ? "Waiting for the rivals …" : "Waiting for the server …";
  const told = store.slow ? [{ text: waiting, bad: false }] : store.message ?? [];
  return html`<div class="message-line"><p class=${told.some((each) => each.bad) ? "message bad" : "message"}
    role="status" aria-live="polite">
      ${told.map((each) => html`<span class=${each.bad ? "bad" : ""}>${each.text} </span>`)}</p>
    ${told.length && !store.slow ? html`<button type="button" aria-label="Dismiss the message"
      onClick=${() => store.say("")}>×</button>` : null}</div>`;
}

// Why the turns of this year are hidden, and the way to the game that hides them.
function Withheld() {
  const { withheld, in_play: played } = store.year;
  const [asked, ask] = useState(false);
  if (!withheld || !played) return null;
  const end = () => store.attempt(async () => {
    await send(`/api/runs/${played.run}/${played.episode}/finish`, {});
    location.reload();
  });
  return html`<section class="panel withheld" aria-label="Why this is hidden"><p>${withheld}</p>
    <p class="row"><a class="button" href=${`/runs/${played.run}/${played.episode}/today`}>Go to that game</a>
      ${asked ? html`<span class="ask">This ends ${played.folder} for good. <button type="button" class="primary"
        onClick=${end}>End it</button>
        <button type="button" onClick=${() => ask(false)}>Leave it</button></span>`
          : html`<button type="button" onClick=${() => ask(true)}>End that game …</button>`}</p></section>`;
}

function Tabs({ screen, open }) {
  return html`<nav class="screens" aria-label="Screens">
    ${SCREENS.map((each, at) => html`<a key=${each.name} href=${`/runs/${run}/${episode}/${each.name}`}
      aria-current=${each === screen ? "page" : null}
      onClick=${(event) => { event.preventDefault(); open(each); }}><svg class="icon" viewBox="0 0 24 24"
        aria-hidden="true"><path d=${each.icon} /></svg><kbd aria-hidden="true">${at + 1}</kbd> ${each.title}</a>`)}
    <${Shortcuts} watching=${!store.year.playable} /></nav>`;
}

function Shop({ screen, goTo }) {
  const Screen = screen.screen;
  const place = useRef(null);
  const shown = useRef(screen);
  useEffect(() => {
    if (shown.current !== screen) scrollTo(0, 0);
    // A control that has gone after its action leaves the focus at the screen, not at the top of the page.
    if (document.activeElement === document.body && (store.turn > 0 || shown.current !== screen)) place.current.focus(
      { preventScroll: true });
    shown.current = screen;
  }, [screen, store.turn]);
  return html`<main ref=${place} tabindex="-1" aria-busy=${store.busy > 0} data-turn=${store.turn}
    aria-label=${screen.title}>
    ${store.asked ? html`<${PositionPanel} store=${store} />` : null}
    <${Screen} key=${screen.name} store=${store} goTo=${goTo} />
    ${store.year.playable ? null : html`<${LastTurn} store=${store} />`}</main>`;
}

render(html`<${App} />`, document.getElementById("app"));
store.open(new URLSearchParams(location.search));
