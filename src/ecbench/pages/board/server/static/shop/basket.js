// The basket: goods that the player means to bargain for. It is kept in this browser, for this year.

import { useKept } from "./hooks.js";

// The SKUs in the basket as a Set, and a function that replaces it.
/** @type {(store: any) => [Set<any>, (next: Iterable<any>) => void]} */
export function useBasket(store) {
  const [skus, keep] = useKept(store, "basket", []);
  return [new Set(skus), (next) => keep([...next])];
}
