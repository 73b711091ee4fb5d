// Controls of interactive pages, and a small line. What is typed is kept by who shows them: `value` and `set`.

import { html, useState } from "./preact.js";

const [WIDTH, HEIGHT] = [120, 30]; // of a small line

// A form that gives to `act` what was typed, by name, when its button is pressed.
/** @param {Record<string, any>} props */
export function Form({ label, act, children, ...more }) {
  const submit = (event) => {
    event.preventDefault();
    act(Object.fromEntries(new FormData(event.target)));
  };
  return html`<form onSubmit=${submit} ...${more}>${children}<button type="submit">${label}</button></form>`;
}

// An input with its label; further properties are the input's. `after` stands behind it. Without `set` a form asks it.
/** @param {Record<string, any>} props */
export function Field({ label = "", set = null, type = "number", after = "", ...more }) {
  const input = html`<input type=${type} onInput=${set && ((event) => set(event.target.value))} ...${more} />`;
  return label ? html`<label>${label} ${input}${after}</label>` : input;
}

// `choices` are values, or pairs of a value and its text.
/** @param {Record<string, any>} props */
export function Choice({ label = "", choices, set = null, ...more }) {
  const pairs = choices.map((each) => (Array.isArray(each) ? each : [each, each]));
  const select = html`<select onChange=${set && ((event) => set(event.target.value))} ...${more}>
    ${pairs.map(([name, text]) => html`<option key=${name} value=${name}>${text}</option>`)}</select>`;
  return label ? html`<label>${label} ${select}</label>` : select;
}

export function Tick({ label, on, set }) {
  return html`<label><input type="checkbox" checked=${on} onChange=${(event) => set(event.target.checked)} /> ${label}
    </label>`;
}

/** @param {Record<string, any>} props */
export function Button({ label, act, ...more }) {
  return html`<button type="button" onClick=${act} ...${more}>${label}</button>`;
}

// A button that asks once: `question` stands beside the buttons that do it and leave it.
/** @param {Record<string, any>} props */
export function Confirm({ label, question, yes, act, no = "Leave it", children = null }) {
  const [asked, ask] = useState(false);
  if (!asked) return html`<${Button} label=${label} act=${() => ask(true)} />`;
  return html`<span class="row ask">${question} ${children}
    ${yes && html`<${Button} class="primary" label=${yes} act=${act} />`}
    <${Button} label=${no} act=${() => ask(false)} /></span>`;
}

// Words that can be opened by a click, a tap or a key: what they mean stands below.
export function Hint({ words, children }) {
  const [open, show] = useState(false);
  return html`<span class="hint">
    <${Button} class="link" aria-expanded=${open} label=${words} act=${() => show(!open)} />
    ${open && html`<small role="note">${children}</small>`}</span>`;
}

// A line without axes, for twelve months or a few weeks; its figures are in its label.
export function Sparkline({ values, label, marked = null }) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (at) => 3 + (at / Math.max(1, values.length - 1)) * (WIDTH - 6);
  const y = (value) => HEIGHT - 4 - ((value - low) / span) * (HEIGHT - 8);
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  return html`<svg class="sparkline" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}>
    <title>${label}</title><polyline points=${points} />
    ${marked != null && html`<circle cx=${x(marked)} cy=${y(values[marked])} r="3" />`}</svg>`;
}
