// The screens of a shop, in the order of their keys.

import { Goods } from "./screens/goods.js";
import { Market } from "./screens/market.js";
import { Money } from "./screens/money.js";
import { Stores } from "./screens/stores.js";
import { Suppliers } from "./screens/suppliers.js";
import { Today } from "./screens/today.js";
import { Warehouse } from "./screens/warehouse.js";

export const SCREENS = [
  { name: "today", title: "Today", screen: Today },
  { name: "market", title: "Market", screen: Market },
  { name: "goods", title: "Goods", screen: Goods },
  { name: "suppliers", title: "Suppliers", screen: Suppliers },
  { name: "stores", title: "Stores", screen: Stores },
  { name: "warehouse", title: "Warehouse", screen: Warehouse },
  { name: "money", title: "Money", screen: Money },
];
