// The position of the day: after the visitor's move, what the player did and what the engine would have done.
import { html } from "../../../../components/static/preact.js";

export function PositionPanel() {
  return html``;
}
