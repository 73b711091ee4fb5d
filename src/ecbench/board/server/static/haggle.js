// Haggling in the chat: a bid for one bargain, with what the deal would cost and bring.

import { el, yuan } from "./page.js";

export function haggleForm(player, chat, ladder) {
  const quote = ladder.quotes.at(-1);
  const best = ladder.offers.at(-1) ?? quote * 0.7;
  const bid = el("input", { type: "range", min: (Math.min(best, quote) * 0.6).toFixed(2), max: quote.toFixed(2), step: "0.01", value: Math.min(quote, (best + quote) / 2).toFixed(2), "aria-label": `Bid for ${ladder.title}` });
  const units = el("input", { type: "number", min: 1, value: 20, "aria-label": `Units of ${ladder.title}` });
  const told = el("output", {});
  const tell = () => {
    const price = Number(bid.value);
    const cost = price * units.value;
    const gain = (ladder.reference - price) * units.value;
    told.textContent = `${yuan(price, 2)} a unit, ${(price / ladder.reference).toFixed(2)} of reference: the deal costs ${yuan(cost)} and brings ${yuan(gain)} before freight and fees if sold at reference`;
    bid.setAttribute("aria-valuetext", told.textContent);
  };
  bid.addEventListener("input", tell);
  units.addEventListener("input", tell);
  tell();
  const act = (action, price) => () => {
    const block = { action, sku_id: ladder.sku, ...(price ? { price: price(), quantity: Number(units.value) } : {}) };
    const words = { offer: "Here is our offer.", accept: "Agreed.", reject: "Thank you, we shall look elsewhere." }[action];
    return player.turn([player.call("chatbox", { uid: chat.email, content: `${words}\n\`\`\`negotiate\n${JSON.stringify(block)}\n\`\`\`` })]);
  };
  return el("div", { class: "haggle" }, el("div", { class: "play-row" }, bid, el("label", {}, "units ", units), told),
    el("div", { class: "play-row" }, player.button("Offer", act("offer", () => Number(bid.value)), true), player.button(`Accept ${yuan(quote, 2)}`, act("accept", () => quote)), player.button("Walk away", act("reject"))));
}
