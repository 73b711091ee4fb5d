// The list of keys.

import { html, useEffect, useRef } from "../../../../components/static/preact.js";
import { isTyping } from "./hooks.js";

const WATCHING = [
  ["← →", "the day before, the next day"],
  ["Shift ← →", "the turn before, the next turn"],
  ["Home, End", "the first day, the last"],
  ["p", "play the days, pause"],
  ["f", "follow an episode that is being played"],
  ["m, Shift m", "the next marked week of the review, the one before"],
  ["+ - 0 l", "on the chart: zoom in, zoom out, all days, log scale"],
  ["h", "hidden truth on and off"],
];
const KEYS = [
  ["1 to 7", "the seven screens"],
  ["Shift C", "close the day"],
  ["Tab, Shift Tab", "the next control, the one before"],
  ["Space", "tick a box, press a button"],
  ["← → ↑ ↓", "move the slider or change the option that has the focus"],
  ["Enter", "send a form, press a button"],
  ["Escape", "leave a question, close this list"],
  ["?", "this list"],
];

export function Shortcuts({ watching }) {
  const dialog = useRef(null);
  useEffect(() => {
    const key = (event) => { if (event.key === "?" && !isTyping(event.target)) dialog.current.showModal(); };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  return html`<button type="button" class="keys" aria-haspopup="dialog" title="Keyboard shortcuts"
    aria-label="Keyboard shortcuts" onClick=${() => dialog.current.showModal()}>?</button>
    <dialog ref=${dialog} aria-label="Keyboard shortcuts"><h2>Keyboard shortcuts</h2>
      <dl>${[...(watching ? [...KEYS.filter(([keys]) => keys !== "Shift C"), ...WATCHING] : KEYS)]
        .map(([keys, text]) => html`<dt>${keys}</dt><dd>${text}</dd>`)}</dl>
      <form method="dialog"><button>Close</button></form></dialog>`;
}
