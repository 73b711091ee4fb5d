// Buttons that take a day back, and end a year early.

import { html, useState } from "../../../../components/static/preact.js";
import { send } from "../page.js";

// Takes today back: the year is branched at this morning. A branch is not ranked, and the year it left stays as it was.
export function UndoToday({ store }) {
  const [asked, ask] = useState(false);
  const undo = async () => {
    const made = await store.attempt(() => send(`${store.path}/branch`, { agent: "person", day: store.day }));
    if (made) location.href = `/runs/${made.id}/${made.episode}/today`;
  };
  if (!asked) return html`<button type="button" onClick=${() => ask(true)}>Undo today …</button>`;
  return html`<span class="row ask">You play on from this morning in a copy of this game. The copy is marked as a
    branch and gets no place in rankings.
    <button type="button" class="primary" onClick=${undo}>Undo today</button>
      <button type="button" onClick=${() => ask(false)}>Leave it</button></span>`;
}

export function EndEarly({ store }) {
  const [asked, ask] = useState(false);
  const end = () => store.attempt(async () => {
    await send(`${store.path}/finish`, {});
    await store.refresh();
  });
  if (!asked) return html`<button type="button" onClick=${() => ask(true)}>End the game early …</button>`;
  return html`<span class="row ask">This ends the game for good: escrow is paid out, and nothing can be taken back.
    <button type="button" class="primary" onClick=${end}>End it</button>
      <button type="button" onClick=${() => ask(false)}>Play on</button></span>`;
}
