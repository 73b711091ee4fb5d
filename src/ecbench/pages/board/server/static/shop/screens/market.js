// The market: the trades as cards, then the categories of one. What was looked up stays, with its date.

import { html, useEffect, useRef, useState } from "../../../../../components/static/preact.js";
import { yuan } from "../../../../../components/static/format.js";
import { ActionButton, later } from "../action_button.js";
import { DataGrid } from "../../../../../components/static/table.js";
import { Hint, useKept, useKnown } from "../hooks.js";
import { Sparkline } from "../../../../../components/static/controls.js";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
  "November", "December"];

export function Market({ store, goTo }) {
  const known = useKnown(store);
  const trades = [...store.known.trade.values()];
  const [chosen, choose] = useKept(store, "trade", null);
  const [picked, pick] = useState(0); // choices made on this visit: each brings the details into view
  const trade = store.known.trade.get(chosen);
  const look = html`<${ActionButton} store=${store} primary=${!trades.length}
    label=${trades.length ? "Look at all store types again" : "Look at the market"}
    calls=${[{ name: "market_search", arguments: {} }]} />`;
  if (!known) return html`<p class="muted">Looking …</p>`;
  if (!trades.length) {
    return html`<section class="panel" aria-label="Market"><h1>The market</h1>
      <p>The market lists the types of stores that you can open: what a store costs a day, when it sells, and what
        to watch for.</p>
      ${store.playing ? look : html`<p class="muted">The market has not been looked at yet.</p>`}</section>`;
  }
  return html`<section class="panel" aria-label="Trades"><div class="row"><h1>Trades</h1>${store.playing ? look : null}
        <span class="muted">Choose one to read more. The curves show sales by month, in percent of an ordinary
          month; the dot is now.</span></div>
      <ul class="cards">${trades.map((each) => html`<${TradeCard} key=${each.store_type} store=${store} trade=${each}
        chosen=${each === trade} choose=${() => { choose(each.store_type); pick(picked + 1); }} />`)}</ul></section>
    ${trade ? html`<${Trade} key=${trade.store_type} store=${store} trade=${trade} goTo=${goTo} picked=${picked} />`
      : null}`;
}

function TradeCard({ store, trade, chosen, choose }) {
  const own = ownStore(store, trade);
  return html`<li class=${chosen ? "card trade chosen" : "card trade"}>
    <h2><button type="button" class="link" aria-pressed=${chosen} onClick=${choose}>${trade.store_name}</button></h2>
    <p class="muted">${yuan(trade.daily_ops_cost)} a day to run (<${Hint} words=${`tier ${trade.tier}`}>
      Tier 1 is the dearest to run, tier 3 the cheapest.</${Hint}>)
      ${own ? html`, <strong class="good">your store ${own.name}</strong>` : null}</p>
    <p>${trade.profit_potential}</p>
    <${Season} store=${store} index=${trade.monthly_sales_index} />
  </li>`;
}

function Season({ store, index }) {
  const month = Number(store.position.date.slice(5, 7)) - 1;
  const best = index.indexOf(Math.max(...index));
  const label = `Sales by month, in percent of an ordinary month: ${MONTHS.map((name, at) => `${name} ${index[at]}%`)
    .join(", ")}`;
  return html`<div class="season"><${Sparkline} values=${index} label=${label} marked=${month} /><small class="muted">
    ${MONTHS[month]} ${index[month]}%${best === month ? ", the best month" : `, best ${MONTHS[best]} ${index[best]}%`}
    </small></div>`;
}

// One trade: its character, a store of it, and its categories.
function Trade({ store, trade, goTo, picked }) {
  const place = useRef(null);
  useEffect(() => { if (picked) place.current.scrollIntoView({ block: "start" }); }, [picked]);
  const known = [...store.known.category.values()].filter((row) => row.store_type === trade.store_type);
  const listed = (trade.subcategories ?? []).map((row) => (typeof row === "string" ? row : row.category));
  const rows = listed.map((name) => known.find((row) => row.category === name) ?? { category: name });
  const search = (category) => [{ name: "market_search", arguments: { category } }];
  const columns = [
    { key: "category", title: "Category" },
    { key: "default_size", title: "Parcel" },
    { key: "reference_price_range", title: "Reference prices" },
    { key: "typical_gross_margin", title: "Margin" },
    { key: "typical_monthly_sales_range", title: "Sales a month" },
    { key: "return_rate_note", title: "Returns" },
    { key: "seen", title: "Looked up", value: (row) => row.seen, cell: (row) => (row.seen == null ? "not yet"
      : `day ${row.seen}`) },
    { key: "do", title: "", value: () => "", cell: (row) => html`<${CategoryActions} store=${store} row=${row}
      alone=${rows.length === 1} search=${search} goTo=${goTo} />` },
  ];
  const filled = columns.filter(({ key, title }) => !title || rows.some((row) => row[key] != null && row[key] !== ""));
  return html`<section class="panel trade-details" ref=${place} aria-label=${trade.store_name}>
    <h1>${trade.store_name}</h1><p>${trade.store_advantage}</p>
    <div class="character">${[["Strengths", trade.strengths], ["Challenges", trade.challenges],
      ["Tips", trade.operating_tips]].map(([title, lines]) => (lines?.length ? html`<div key=${title}><h3>${title}</h3>
      <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></div>` : null))}</div>
    <${OpenStore} store=${store} trade=${trade} />
    <div class="row"><h2>Categories</h2>${store.playing ? html`
      <${ActionButton} store=${store} label="Look up sizes and price ranges"
        calls=${[{ name: "market_search", arguments: { store_type: trade.store_type } }]} />
      <${ActionButton} store=${store} label="List all its goods"
        calls=${[{ name: "list_products", arguments: { store_type: trade.store_type } }]}
        done=${() => goTo("goods", true)} />
      <${ActionButton} store=${store} label="Find its suppliers"
        calls=${[{ name: "supplier_search", arguments: { store_type: trade.store_type } }]}
        done=${() => goTo("suppliers", true)} />` : null}</div>
    <${DataGrid} label=${`Categories of ${trade.store_name}`} columns=${filled} rows=${rows}
      keyOf=${(row) => row.category} />
  </section>`;
}

function CategoryActions({ store, row, alone, search, goTo }) {
  if (!store.playing) return null;
  return html`<span class="row">
    <${ActionButton} store=${store} label=${row.return_rate_note ? "Study it again"
      : "Study margin, sales and returns"} calls=${search(row.category)} />
    ${alone ? null : html`<${ActionButton} store=${store} label="List goods"
      calls=${[{ name: "list_products", arguments: { category: row.category } }]} done=${() => goTo("goods", true)} />`}
      </span>`;
}

function OpenStore({ store, trade }) {
  const [name, setName] = useState(`${trade.store_name} Corner`);
  const own = ownStore(store, trade);
  if (own || !store.playing) return own ? html`<p class="good">Your store ${own.name} has been open since ${own.opened}.
    </p>` : null;
  const opened = store.position.stores.filter((each) => each.is_open).length;
  if (opened >= store.terms.most_stores) return html`<p class="muted">You have ${store.terms.most_stores} stores, which
    is as many as can be open at once.</p>`;
  const open = later(["open_store"], () => {
    if (name.trim()) return [{ name: "open_store", arguments: { store_type: trade.store_type,
      store_name: name.trim() } }];
    store.say("A store needs a name.", true);
    return null;
  });
  return html`<form class="row open-store" onSubmit=${(event) => event.preventDefault()}>
    <label>Name of the store <input value=${name} maxlength="60" onInput=${(event) => setName(event.target.value)} />
      </label>
    <${ActionButton} store=${store} label="Open this store" calls=${open} cost=${store.terms.setup_fee}
      primary=${true} />
    <span class="muted">and ${yuan(trade.daily_ops_cost)} a day from then on. <${Hint}
      words=${`Store ${opened + 1} of ${store.terms.most_stores}`}>At most ${store.terms.most_stores} stores can be
      open at once, one of each type. A store that is closed makes room for another.</${Hint}></span></form>`;
}

function ownStore(store, trade) {
  return store.position.stores.find((each) => each.is_open && each.trade === trade.store_type);
}
