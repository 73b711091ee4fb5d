// The offers of both sides in one bargain, each with its price, beside the floor and the reference price where known.

import { svg, yuan } from "./dom.js";

const WIDTH = 420;
const HEIGHT = 230;
const LEFT = 34; // half of a price
const RIGHT = 300; // the names of the two lines stand behind it
const APART = 13; // between two lines of text
const NUMBERED = 9; // prices of one side; of more only some are written

export function offerLadder({ quotes, offers, floor = null, reference = null, price = null, bidder = "the agent" }) {
  const prices = [...quotes, ...offers, floor, reference, price].filter((each) => each != null);
  const low = Math.min(...prices);
  const high = Math.max(...prices);
  const steps = Math.max(1, quotes.length - 1, offers.length - 0.5);
  const x = (step) => LEFT + (step / steps) * (RIGHT - LEFT - 34);
  const y = (amount) => HEIGHT - 40 - ((amount - low) / Math.max(0.01, high - low)) * (HEIGHT - 70);
  const side = (name, values, shift, above) => {
    const every = Math.ceil(values.length / NUMBERED);
    const written = (step) => step === values.length - 1 || (step % every === 0 && values.length - 1 - step >= every);
    return [
      svg("polyline", { class: name, points: values.map((amount, step) => `${x(step + shift)},${y(amount)}`).join(" ") }),
      values.map((amount, step) => svg("circle", { class: name, cx: x(step + shift), cy: y(amount), r: 3.5 }, svg("title", {}, `${name} ${step + 1}: ${yuan(amount, 2)}`))),
      values.map((amount, step) => written(step) && svg("text", { class: `price ${name}`, x: x(step + shift), y: y(amount) + (above ? -12 : 20), "text-anchor": "middle" }, yuan(amount, 2))),
    ];
  };
  const levels = [["reference", reference], ["floor", floor]].filter(([, amount]) => amount != null);
  const close = levels.length > 1 && Math.abs(y(reference) - y(floor)) < 2 * APART;
  return svg("svg", { class: "ladder", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": described(quotes, offers, floor, reference, price, bidder) },
    levels.map(([name, amount], place) => [
      svg("line", { class: name, x1: 4, x2: RIGHT, y1: y(amount), y2: y(amount) }),
      svg("text", { x: RIGHT + 5, y: y(amount) + (close ? (place ? 9 : -15) : -2) }, name),
      svg("text", { x: RIGHT + 5, y: y(amount) + (close ? (place ? 9 : -15) : -2) + APART - 1 }, yuan(amount, 2)),
    ]),
    side("quotes", quotes, 0, true), side("offers", offers, 0.5, false),
    price != null && svg("circle", { class: "deal", cx: x(steps), cy: y(price), r: 8 }, svg("title", {}, `deal at ${yuan(price, 2)}`)),
    [["quotes", "the supplier", LEFT], ["offers", bidder, LEFT + 110], ...(price == null ? [] : [["deal", `deal ${yuan(price, 2)}`, LEFT + 205]])].map(([name, text, at]) => [
      svg("circle", { class: name, cx: at - 10, cy: HEIGHT - 8, r: name === "deal" ? 6 : 4 }), svg("text", { x: at, y: HEIGHT - 4 }, text)]));
}

function described(quotes, offers, floor, reference, price, bidder) {
  const list = (values) => values.map((amount) => yuan(amount, 2)).join(", ") || "nothing";
  const known = [floor == null ? "" : ` Floor ${yuan(floor, 2)}.`, reference == null ? "" : ` Reference price ${yuan(reference, 2)}.`].join("");
  return `The supplier asked ${list(quotes)}. ${bidder === "you" ? "You" : "The agent"} offered ${list(offers)}.${known}${price == null ? " No deal." : ` Deal at ${yuan(price, 2)}.`}`;
}
