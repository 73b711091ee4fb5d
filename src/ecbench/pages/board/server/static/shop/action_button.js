// A button that carries out calls. It states what they cost before: minutes of the day, and yuan where that is known.

import { html, useEffect, useRef, useState } from "../../../../components/static/preact.js";
import { yuan } from "../../../../components/static/format.js";

const ASKED_FROM = 0.3; // share of the bank; what costs more is asked about once

// `calls` is a list of { name, arguments }, or a function that makes it when the button is pressed and may return null.
// `cost` is what it pays at once, `text` what the record keeps of the reason, `done` hears the replies.
// A button that cannot be used now keeps the focus: `disabled` would drop it.
/** @param {Record<string, any>} props */
export function ActionButton({ store, label, calls, cost = 0, primary = false, text = "", done = () => {},
  disabled = false, children }) {
  const [asking, ask] = useState(false);
  const button = useRef(null);
  const asked = useRef(false);
  const tools = typeof calls === "function" ? calls.tools ?? [] : calls.map((call) => call.name);
  const minutes = minutesOf(tools, store.terms);
  const price = cost > 0 ? yuan(cost, cost < 100 ? 2 : 0) : "";
  const late = minutes > 0 && minutes >= store.position.minutes_left;
  const bank = store.position.money.bank;
  const still = disabled || store.busy > 0;

  useEffect(() => {
    if (asked.current !== asking) button.current?.focus(); // the first button of the question, or the button again
    asked.current = asking;
  }, [asking]);
  const carryOut = async () => {
    ask(false);
    const made = typeof calls === "function" ? calls() : calls;
    if (!made?.length) return;
    const replies = await store.act(made, text);
    if (replies) done(replies);
  };
  const press = () => {
    if (still) return;
    if (cost > ASKED_FROM * bank && cost > 0) ask(true);
    else carryOut();
  };

  if (asking) {
    return html`<span class="ask" role="alertdialog" aria-label="Are you sure?"
      onKeyDown=${(event) => event.key === "Escape" && ask(false)}>
      This can take up to ${price} of the ${yuan(bank)} in the bank (${Math.round((100 * cost) / Math.max(bank, 1))}%).
      <button type="button" class="primary" onClick=${carryOut} ref=${button}>Do it</button>
      <button type="button" onClick=${() => ask(false)}>Leave it</button>
    </span>`;
  }
  const notes = [minutes ? `${minutes} min` : "", price].filter(Boolean).join(", ");
  return html`<button type="button" class=${primary ? "act primary" : "act"} aria-disabled=${still} onClick=${press}
    ref=${button}
    title=${late ? "This runs into tomorrow morning: what it does happens then." : null}>
    ${children ?? label}${notes ? html` <small class=${late ? "late" : ""}>${notes}${late ? ", tomorrow" : ""}</small>`
      : null}
  </button>`;
}

// A function that makes calls later, with the tools it will use, so that their minutes can be shown before.
export function later(tools, make) {
  return Object.assign(make, { tools });
}

function minutesOf(tools, terms) {
  return tools.reduce((sum, tool) => sum + (terms.minutes[tool] ?? 0), 0);
}
