// A letter for people: the words as words, and each action of its negotiate blocks as a line.

import { el, yuan } from "./dom.js";

const titles = new Map(); // of goods that the page has met, by SKU

export function meet(rows) {
  for (const row of rows) if (row.title) titles.set(row.sku, row.title);
}

export function titleOf(sku) {
  return titles.get(sku) ?? sku;
}

const BLOCK = /```negotiate\s*([\s\S]*?)```/g;

export function letterParts(content) {
  const actions = [...content.matchAll(BLOCK)].flatMap((found) => actionsIn(found[1]));
  if (actions.includes(null)) return [content]; // not what it should be: shown as it was sent
  const words = content.replaceAll(BLOCK, "").trim();
  return [words, actions.length ? el("ul", { class: "actions" }, actions.map((action) => el("li", {}, said(action)))) : null];
}

function actionsIn(text) {
  try {
    return [JSON.parse(text)].flat();
  } catch {
    return text.trim().split("\n").map((line) => { try { return JSON.parse(line); } catch { return null; } });
  }
}

function said(action) {
  const deal = typeof action.price === "number" ? ` ${yuan(action.price, 2)}` : "";
  const count = Number(action.quantity);
  const units = action.quantity == null ? "" : ` for ${count.toLocaleString("en")} ${count === 1 ? "unit" : "units"}`;
  return `${action.action}${deal}${units} of ${titleOf(action.sku_id)}`;
}
