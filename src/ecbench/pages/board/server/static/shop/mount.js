// Nodes that a component of the report makes, inside a component of the shop.

import { html, useLayoutEffect, useRef } from "../../components/preact.js";

export function Mount({ make, deps }) {
  const place = useRef(null);
  useLayoutEffect(() => place.current.replaceChildren(...make().flat().filter((part) => part != null && part !== "")), deps);
  return html`<div class="mount" ref=${place}></div>`;
}
