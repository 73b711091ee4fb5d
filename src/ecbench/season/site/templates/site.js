// Tables of a site that their reader sorts and filters.

import { enhance } from "./data_table.js";

for (const table of document.querySelectorAll("table.sortable")) enhance(table);
