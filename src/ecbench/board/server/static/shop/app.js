// The page of a year: the bar, one of the screens, and the keys that lead to them.

import { html, render, useEffect, useState } from "../../components/preact.js";
import { agentName } from "../page.js";
import { useStore } from "./hooks.js";
import { SCREENS } from "./screens.js";
import { Shortcuts } from "./shortcuts.js";
import { TopBar } from "./top_bar.js";
import { YearStore } from "./year_store.js";

const CLOSE_DAY = [{ name: "wait_for_next_day", arguments: {} }];
const [, , run, episode] = location.pathname.split("/");
const store = new YearStore(run, episode);

function screenOfAddress() {
  const [, , , , name] = location.pathname.split("/");
  return SCREENS.find((each) => each.name === name) ?? SCREENS[0];
}

// The screen that the address names; the keys 1 to 7 and the browser's own buttons lead to others.
function useScreen() {
  const [screen, show] = useState(screenOfAddress);
  const open = (next) => {
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

export function isTyping(target) {
  return target.matches?.("textarea, select, input:not([type=checkbox]):not([type=range]):not([type=radio])") ?? false;
}

function App() {
  useStore(store);
  const [screen, open] = useScreen();
  if (!store.position) return html`<p class="opening" role="status">${store.message?.text ?? "Opening the year …"}</p>`;
  const Screen = screen.screen;
  document.title = `${screen.title}: ${agentName(store.year.timeline.agent)} on ${store.year.timeline.world} - E-Commerce Bench`;
  const goTo = (name) => open(SCREENS.find((each) => each.name === name));
  return html`
    <${TopBar} store=${store} closeDay=${CLOSE_DAY} />
    <nav class="screens" aria-label="Screens">
      ${SCREENS.map((each, at) => html`<a key=${each.name} href=${`/runs/${run}/${episode}/${each.name}`} aria-current=${each === screen ? "page" : null}
        onClick=${(event) => { event.preventDefault(); open(each); }}><kbd aria-hidden="true">${at + 1}</kbd> ${each.title}</a>`)}
      <${Shortcuts} />
    </nav>
    <p class=${store.message?.bad ? "message bad" : "message"} role="status" aria-live="polite">${store.message?.text ?? ""}</p>
    <main aria-busy=${store.busy > 0} aria-label=${screen.title}><${Screen} key=${screen.name} store=${store} goTo=${goTo} /></main>`;
}

render(html`<${App} />`, document.getElementById("app"));
store.open(Number(new URLSearchParams(location.search).get("turn")) || null);
