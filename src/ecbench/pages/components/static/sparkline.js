// A small line without axes, for twelve months or a few weeks; its figures are in its label.

import { html } from "./preact.js";

const WIDTH = 120;
const HEIGHT = 30;

export function Sparkline({ values, label, marked = null }) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (place) => 3 + (place / Math.max(1, values.length - 1)) * (WIDTH - 6);
  const y = (value) => HEIGHT - 4 - ((value - low) / span) * (HEIGHT - 8);
  return html`<svg class="sparkline" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}><title>${label}
    </title>
    <polyline points=${values.map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`).join(" ")} />
    ${marked == null ? null : html`<circle cx=${x(marked)} cy=${y(values[marked])} r="3" />`}</svg>`;
}
