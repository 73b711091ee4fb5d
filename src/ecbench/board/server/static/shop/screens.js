// The screens of a shop, in the order of their keys.

import { Today } from "./screens/today.js";

export const SCREENS = [
  { name: "today", title: "Today", screen: Today },
];
