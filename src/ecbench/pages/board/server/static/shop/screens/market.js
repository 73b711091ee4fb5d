// The market: the store types as cards, then the categories of one. What was looked up stays, with its date.

import { DataGrid, Field, Hint, html, Sparkline, useEffect, useRef, useState, yuan } from
  "../../../../../components/static/kit.js";
import { ActionButton, call } from "../actions.js";
import { useKept } from "../store.js";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
  "November", "December"];

export function Market({ store, goTo }) {
  const types = [...store.known.store_type.values()];
  const [chosen, choose] = useKept(store, "store type", null);
  const [picked, pick] = useState(0); // choices made on this visit: each brings the details into view
  const type = store.known.store_type.get(chosen);
  const look = store.playing && html`<${ActionButton} store=${store} primary=${!types.length}
    label=${types.length ? "Look at all store types again" : "Look at the market"}
    calls=${[call("market_search")]} />`;
  if (!types.length) {
    return html`<section class="panel" aria-label="Market"><h1>The market</h1>
      <p>The market lists the types of stores that you can open: what a store costs a day, when it sells, and what
        to watch for.</p>${look || html`<p class="muted">The market has not been looked at yet.</p>`}</section>`;
  }
  return html`<section class="panel" aria-label="Store types"><div class="row"><h1>Store types</h1>${look}
      <span class="muted">Choose one to read more. The curves show sales by month, in percent of an ordinary month; the
        dot is now.</span></div>
      <ul class="cards">${types.map((each) => html`<${TypeCard} key=${each.store_type} store=${store} type=${each}
        chosen=${each === type} choose=${() => { choose(each.store_type); pick(picked + 1); }} />`)}</ul></section>
    ${type && html`<${StoreType} key=${type.store_type} store=${store} type=${type} goTo=${goTo} picked=${picked} />`}`;
}

function TypeCard({ store, type, chosen, choose }) {
  const own = ownStore(store, type);
  const index = type.monthly_sales_index;
  const month = Number(store.position.date.slice(5, 7)) - 1;
  const best = index.indexOf(Math.max(...index));
  const label = `Sales by month, in percent of an ordinary month: ${MONTHS.map((name, at) => `${name} ${index[at]}%`)
    .join(", ")}`;
  return html`<li class=${chosen ? "card store-type chosen" : "card store-type"}>
    <h2><button type="button" class="link" aria-pressed=${chosen} onClick=${choose}>${type.store_name}</button></h2>
    <p class="muted">${yuan(type.daily_ops_cost)} a day to run (<${Hint} words=${`tier ${type.tier}`}>
      Tier 1 is the dearest to run, tier 3 the cheapest.</${Hint}>)
      ${own && html`, <strong class="good">your store ${own.name}</strong>`}</p>
    <p>${type.profit_potential}</p>
    <div class="season"><${Sparkline} values=${index} label=${label} marked=${month} /><small class="muted">
      ${MONTHS[month]} ${index[month]}%${best === month ? ", the best month" : `, best ${MONTHS[best]} ${index[best]}%`}
      </small></div></li>`;
}

// One store type: its character, a store of it, and its categories.
function StoreType({ store, type, goTo, picked }) {
  const place = useRef(null);
  useEffect(() => { if (picked) place.current.scrollIntoView({ block: "start" }); }, [picked]);
  const known = new Map([...store.known.category.values()].map((row) => [row.category, row]));
  const rows = (type.subcategories ?? []).map((row) => (typeof row === "string" ? row : row.category))
    .map((name) => known.get(name) ?? { category: name });
  const action = (label, tool, given, screen = "") => store.playing && html`<${ActionButton} store=${store}
    label=${label} calls=${[call(tool, given)]} done=${() => screen && goTo(screen, true)} />`;
  const actions = ({ category, return_rate_note: studied }) => html`<span class="row">
    ${action(studied ? "Study it again" : "Study margin, sales and returns", "market_search", { category })}
    ${rows.length > 1 && action("List goods", "list_products", { category }, "goods")}</span>`;
  const given = { store_type: type.store_type };
  return html`<section class="panel store-type-details" ref=${place} aria-label=${type.store_name}>
    <h1>${type.store_name}</h1><p>${type.store_advantage}</p>
    <div class="character">${[["Strengths", type.strengths], ["Challenges", type.challenges],
      ["Tips", type.operating_tips]].map(([title, lines]) => lines?.length > 0 && html`<div key=${title}>
      <h3>${title}</h3><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></div>`)}</div>
    <${OpenStore} store=${store} type=${type} />
    <div class="row"><h2>Categories</h2>
      ${action("Look up sizes and price ranges", "market_search", given)}
      ${action("List all its goods", "list_products", given, "goods")}
      ${action("Find its suppliers", "supplier_search", given, "suppliers")}</div>
    <${DataGrid} table="categories" label=${`Categories of ${type.store_name}`} rows=${rows}
      columns=${store.playing ? ["do |"] : []} cells=${{ do: actions }} /></section>`;
}

function OpenStore({ store, type }) {
  const [name, setName] = useState(`${type.store_name} Corner`);
  const own = ownStore(store, type);
  const most = store.terms.most_stores;
  const opened = store.position.stores.filter((each) => each.is_open).length;
  if (own) return html`<p class="good">Your store ${own.name} has been open since ${own.opened}.</p>`;
  if (!store.playing) return null;
  if (opened >= most) return html`<p class="muted">You have ${most} stores, which is as many as can be open at once.
    </p>`;
  return html`<form class="row open-store" onSubmit=${(event) => event.preventDefault()}>
    <${Field} type="text" label="Name of the store" value=${name} maxlength="60" set=${setName} />
    <${ActionButton} store=${store} label="Open this store" cost=${store.terms.setup_fee} primary=${true}
      disabled=${!name.trim()}
      calls=${[call("open_store", { store_type: type.store_type, store_name: name.trim() })]} />
    <span class="muted">and ${yuan(type.daily_ops_cost)} a day from then on. <${Hint}
      words=${`Store ${opened + 1} of ${most}`}>At most ${most} stores can be open at once, one of each type. A store
      that is closed makes room for another.</${Hint}></span></form>`;
}

function ownStore(store, type) {
  return store.position.stores.find((each) => each.is_open && each.store_type === type.store_type);
}
