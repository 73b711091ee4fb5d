// The end of the day: a button and a key. It asks once where orders would be cancelled tonight.

import { html, useEffect, useRef, useState } from "../../../../components/static/preact.js";
import { isTyping } from "./hooks.js";

export function CloseDay({ store }) {
  const { day, shipments } = store.position;
  const [askedOn, ask] = useState(null); // the day on which it has asked
  const due = shipments.filter((row) => row.days_left <= 0).length;
  const asking = askedOn === day && due > 0;
  const close = () => {
    if (store.busy) return;
    if (due && !asking) ask(day);
    else store.closeDay();
  };
  const ship = async () => {
    await store.act([{ name: "ship_orders", arguments: { action: "ship", speed: "standard" } }]);
    button.current?.focus();
  };
  const latest = useRef(null);
  latest.current = close;
  const button = useRef(null);
  useEffect(() => {
    const press = (event) => {
      if (event.key !== "C" || event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)
        || document.querySelector("dialog[open]")) return;
      latest.current();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return html`<div class="close">${asking ? html`<span class="ask" role="alert">${due === 1 ? "1 order is"
    : `${due} orders are`} cancelled tonight if not shipped.
      <button type="button" class="primary" onClick=${ship}>Ship all orders</button></span>` : null}
    <button type="button" class=${asking ? "" : "primary"} ref=${button} aria-disabled=${store.busy > 0}
      aria-keyshortcuts="Shift+C" title="Shift C" onClick=${close}>${asking ? "Close the day anyway" : "Close the day"}
      </button></div>`;
}
