// The screens of a shop, in the order of their keys.

import { Goods } from "./screens/goods.js";
import { Market } from "./screens/market.js";
import { Money } from "./screens/money.js";
import { Stores } from "./screens/stores.js";
import { Suppliers } from "./screens/suppliers.js";
import { Today } from "./screens/today.js";
import { Warehouse } from "./screens/warehouse.js";

export const SCREENS = [
  { name: "today", title: "Today", icon: "M4 5h16v15H4zM4 9h16M8 3v4M16 3v4M8 14l3 3 5-5", screen: Today },
  { name: "market", title: "Market", icon: "M4 20V10M10 20V4M16 20v-8M3 20h18", screen: Market },
  { name: "goods", title: "Goods", icon: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z", screen: Goods },
  { name: "suppliers", title: "Suppliers", icon: "M3 5h18v12H9l-5 4v-4H3zM7 9h10M7 13h6", screen: Suppliers },
  { name: "stores", title: "Stores", icon: "M3 9l2-5h14l2 5M4 9v11h16V9M3 9h18M9 20v-6h6v6", screen: Stores },
  { name: "warehouse", title: "Warehouse", icon: "M3 20V9l9-5 9 5v11M7 20v-8h10v8M7 16h10", screen: Warehouse },
  { name: "money", title: "Money", icon: "M7 4l5 8 5-8M12 12v8M7 13h10M7 16h10", screen: Money },
];
