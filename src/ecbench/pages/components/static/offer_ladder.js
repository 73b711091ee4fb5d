// The offers of both sides in one bargain, each with its price, beside the floor and the reference price where known.

import { yuan } from "./format.js";
import { html } from "./preact.js";

const WIDTH = 420;
const HEIGHT = 230;
const LEFT = 34; // half of a price
const RIGHT = 300; // the names of the two lines stand behind it
const APART = 13; // between two lines of text
const NUMBERED = 9; // prices of one side; of more only some are written

/** @param {Record<string, any>} props */
export function OfferLadder({ quotes, offers, floor = null, reference = null, price = null, bidder = "the agent" }) {
  const prices = [...quotes, ...offers, floor, reference, price].filter((each) => each != null);
  const low = Math.min(...prices);
  const high = Math.max(...prices);
  const steps = Math.max(1, quotes.length - 1, offers.length - 0.5);
  const x = (step) => LEFT + (step / steps) * (RIGHT - LEFT - 34);
  const y = (amount) => HEIGHT - 40 - ((amount - low) / Math.max(0.01, high - low)) * (HEIGHT - 70);
  const levels = [["reference", reference], ["floor", floor]].filter(([, amount]) => amount != null);
  const close = levels.length > 1 && Math.abs(y(reference) - y(floor)) < 2 * APART;
  const names = [["quotes", "the supplier", LEFT], ["offers", bidder, LEFT + 110],
    ...(price == null ? [] : [["deal", `deal ${yuan(price, 2)}`, LEFT + 205]])];
  return html`<svg class="ladder" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img"
    aria-label=${described(quotes, offers, floor, reference, price, bidder)}>
    ${levels.map(([name, amount], at) => html`<${Level} name=${name} amount=${amount} y=${y(amount)}
      below=${close ? (at ? 9 : -15) : -2} />`)}
    <${Side} name="quotes" values=${quotes} x=${(step) => x(step)} y=${y} below=${-12} />
    <${Side} name="offers" values=${offers} x=${(step) => x(step + 0.5)} y=${y} below=${20} />
    ${price == null ? null : html`<circle class="deal" cx=${x(steps)} cy=${y(price)} r="8"><title>
      deal at ${yuan(price, 2)}</title></circle>`}
    ${names.map(([name, text, at]) => html`<circle class=${name} cx=${at - 10} cy=${HEIGHT - 8}
      r=${name === "deal" ? 6 : 4} /><text x=${at} y=${HEIGHT - 4}>${text}</text>`)}</svg>`;
}

function Level({ name, amount, y, below }) {
  return html`<line class=${name} x1="4" x2=${RIGHT} y1=${y} y2=${y} /><text x=${RIGHT + 5} y=${y + below}>${name}
    </text>
    <text x=${RIGHT + 5} y=${y + below + APART - 1}>${yuan(amount, 2)}</text>`;
}

function Side({ name, values, x, y, below }) {
  const every = Math.ceil(values.length / NUMBERED);
  const written = (step) => step === values.length - 1 || (step % every === 0 && values.length - 1 - step >= every);
  return html`<polyline class=${name} points=${values.map((amount, step) => `${x(step)},${y(amount)}`).join(" ")} />
    ${values.map((amount, step) => html`<circle class=${name} cx=${x(step)} cy=${y(amount)} r="3.5"><title>
      ${name} ${step + 1}: ${yuan(amount, 2)}</title></circle>`)}
    ${values.map((amount, step) => (written(step) ? html`<text class=${`price ${name}`} x=${x(step)}
      y=${y(amount) + below} text-anchor="middle">${yuan(amount, 2)}</text>` : null))}`;
}

function described(quotes, offers, floor, reference, price, bidder) {
  const list = (values) => values.map((amount) => yuan(amount, 2)).join(", ") || "nothing";
  const known = [["Floor", floor], ["Reference price", reference]].filter(([, amount]) => amount != null)
    .map(([name, amount]) => ` ${name} ${yuan(amount, 2)}.`);
  const ended = price == null ? " No deal." : ` Deal at ${yuan(price, 2)}.`;
  return `The supplier asked ${list(quotes)}. ${bidder === "you" ? "You"
    : "The agent"} offered ${list(offers)}.${known.join("")}${ended}`;
}
