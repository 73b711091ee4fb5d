// What components share: the store that they are drawn from, views that are asked for when the turn changes, and hints.

import { html, useEffect, useReducer, useState } from "../../../../components/static/preact.js";

// Renders the component again whenever the store has changed.
export function useStore(store) {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => store.subscribe(draw), [store]);
  return store;
}

// What the server shows under a name at the turn that is looked at; null until it is here. The store asks for it with
// every further turn, so that nothing on the screen is of an earlier turn than the rest.
export function useView(store, name) {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => store.keepView(name), [store, name]);
  useEffect(() => {
    const view = store.views.get(name);
    if (view.turn === store.turn) return;
    store.askView(view, name).then(draw, (problem) => store.say(problem.message, true));
  }, [store, name, store.turn]);
  return store.views.get(name)?.found ?? null;
}

// What the agent's calls have shown it by the turn that is looked at; null until it is here.
export function useKnown(store) {
  useEffect(() => store.keepKnown(), [store]);
  return store.known.turn === store.turn ? store.known : null;
}

// Hidden truth at the turn that is looked at, or null: it is asked for only while it is shown.
export function useTruth(store, name) {
  const [found, show] = useState(null);
  const address = store.truth ? `turns/${store.turn}/truth/${name}` : null;
  useEffect(() => {
    let wanted = true;
    show(null);
    if (address) store.askTruth(address).then((truth) => wanted && show(truth), (problem) => wanted
      && store.say(problem.message, true));
    return () => { wanted = false; };
  }, [store.path, address]);
  return found;
}

// A value that outlives a reload of the page, for this year alone; all components see the same.
export function useKept(store, name, first) {
  const key = `ecbench ${store.path} ${name}`;
  const keep = (next) => {
    localStorage.setItem(key, JSON.stringify(next));
    store.changed();
  };
  return [kept(key) ?? first, keep];
}

// Words that can be opened by a click, a tap or a key: what they mean stands below.
export function Hint({ words, children }) {
  const [open, show] = useState(false);
  return html`<span class="hint"><button type="button" class="link" aria-expanded=${open} onClick=${() => show(!open)}>
    ${words}</button>
    ${open ? html`<small role="note">${children}</small>` : null}</span>`;
}

// Runs a request beside the others; an error becomes the message of the page.
export async function trying(store, work) {
  try {
    return await work();
  } catch (problem) {
    store.say(problem.message, true);
    return null;
  }
}

export function isTyping(target) {
  return target.matches?.("textarea, select, input:not([type=checkbox]):not([type=range]):not([type=radio])") ?? false;
}

function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}
