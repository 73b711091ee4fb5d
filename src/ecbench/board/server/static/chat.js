// Suppliers: who was written to, the letters of one, and its bargains as ladders.

import { offerLadder } from "../components/offer_ladder.js";
import { ask, el, put, trying, yuan } from "./page.js";
import { haggleForm } from "./haggle.js";
import { letterParts, meet } from "../components/letter.js";

export class Chats {
  constructor(place, path) {
    this.place = place;
    this.path = path;
    this.names = [];
    this.chosen = new URLSearchParams(location.search).get("supplier");
    this.onChoose = () => {};
    this.player = null; // who may bid here
  }

  async show(turn, truth) {
    this.turn = turn;
    this.truth = truth;
    const list = (await trying(() => ask(`${this.path}/turns/${turn}/suppliers`))) || [];
    if (this.turn !== turn) return; // another turn was asked for meanwhile
    this.list = list;
    this.names = this.list.map((row) => row.name);
    await this.draw();
  }

  step(by) {
    if (!this.names.length) return;
    const at = this.names.indexOf(this.chosen);
    this.choose(this.names[Math.min(this.names.length - 1, Math.max(0, at + by))]);
  }

  choose(name) {
    this.chosen = name;
    this.onChoose(name);
    this.draw();
  }

  // A later draw may have its letters first: only the latest is put into the page.
  async draw() {
    const drawing = (this.drawing = {});
    const known = this.names.includes(this.chosen);
    const rows = this.list.map((row) => el("li", {}, el("button", {
      type: "button", "aria-current": String(row.name === this.chosen), onclick: () => this.choose(row.name),
    }, row.name, el("div", { class: "muted" }, `${row.letters} letters, ${row.orders} orders`))));
    const side = el("div", {}, known ? await this.talk() : el("p", { class: "muted" }, this.names.length ? "Choose a supplier to read the letters." : "Nobody has been written to."));
    if (this.drawing !== drawing) return;
    put(this.place, el("h2", {}, `Suppliers (${this.names.length})`), el("div", { class: "chat" }, el("ul", {}, rows), side));
    const letters = this.place.querySelector(".letters");
    if (letters) letters.scrollTop = letters.scrollHeight;
  }

  async talk() {
    const name = encodeURIComponent(this.chosen);
    const chat = await trying(() => ask(`${this.path}/turns/${this.turn}/suppliers/${name}`));
    if (!chat) return [];
    meet(chat.ladders);
    const hidden = this.truth ? await trying(() => ask(`${this.path}/turns/${this.turn}/truth/suppliers/${name}`, { "X-Ecbench-Truth": "shown" })) : null;
    const letters = chat.letters.map((letter) => el("div", { class: letter.sender === "agent" ? "letter mine" : "letter" },
      el("div", { class: "muted" }, `${letter.date} ${clock(letter.minute)}`), letterParts(letter.text)));
    const ladders = chat.ladders.slice(-12).reverse().map((ladder, at) => el("details", { open: at === 0 || ladder.outcome === "open" },
      el("summary", {}, `${ladder.title}: ${outcome(ladder)}`), el("figure", {}, offerLadder({ ...ladder, floor: hidden?.floors?.[ladder.sku], price: ladder.outcome === "deal" ? ladder.price : null })),
      this.player && ladder.outcome === "open" ? haggleForm(this.player, chat, ladder) : null));
    const label = hidden ? el("p", { class: hidden.honest ? "" : "bad" }, hidden.honest ? `Honest, ${hidden.template}.` : `Cheats: ${hidden.scam.replaceAll("_", " ")}, ${hidden.template}.`) : null;
    return [el("p", {}, el("strong", {}, chat.name), ` ${chat.category}, ${chat.email}${chat.member ? ", membership paid" : ""}`), label,
      el("div", { class: "letters", tabindex: "0", "aria-label": "letters" }, letters), el("h3", {}, "Bargains"), ladders.length ? ladders : el("p", { class: "muted" }, "None yet.")];
  }
}

function outcome(ladder) {
  if (ladder.outcome === "deal") return `deal at ${yuan(ladder.price, 2)} on day ${ladder.closed}`;
  if (ladder.outcome === "agreed") return `${yuan(ladder.price, 2)} agreed, but nothing was ordered`;
  if (ladder.outcome === "open") return `open, last quote ${yuan(ladder.quotes.at(-1), 2)}`;
  return `${ladder.outcome === "AgentReject" ? "you walked away" : "the supplier walked away"} on day ${ladder.closed}`;
}

function clock(minute) {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
