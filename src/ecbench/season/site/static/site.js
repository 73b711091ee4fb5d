// Tables of a site that their reader sorts and filters.

import { upgrade } from "../../../pages/components/static/kit.js";

document.querySelectorAll("table.sortable").forEach(upgrade);
