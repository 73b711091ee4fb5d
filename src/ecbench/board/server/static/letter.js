// A letter for people: the words as words, and each action of its negotiate blocks as a line.

import { el, yuan } from "./page.js";

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
  const units = action.quantity == null ? "" : ` for ${Number(action.quantity).toLocaleString("en")} units`;
  return `${action.action}${deal}${units} of ${action.sku_id}`;
}
