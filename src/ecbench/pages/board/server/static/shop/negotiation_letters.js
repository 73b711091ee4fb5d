// Letters to suppliers: what a person decides on a screen, as the text that the chatbox tool takes.

export const PRICE_LIST = "Hello, we run a store for your kind of goods. Please send us your price list.";

const WORDS = { offer: "Here is our offer.", accept: "We accept your price.",
  reject: "Thank you, we shall look elsewhere." };

// `actions` is a list of { action, sku_id, price, quantity }; `words` go before them.
export function bargainLetter(actions, words = "") {
  const kinds = [...new Set(actions.map((each) => each.action))];
  const opening = words.trim() || kinds.map((kind) => WORDS[kind]).join(" ");
  return `${opening}\n\`\`\`negotiate\n${actions.map((each) => JSON.stringify(each)).join("\n")}\n\`\`\``;
}

export function letterCall(emails, content) {
  return { name: "chatbox", arguments: emails.length === 1 ? { uid: emails[0], content } : { uids: emails, content } };
}
