// Years beside one another on one clock: a line each, and where their calls first differ from the year on the page.

import { html, useEffect, useRef, useState } from "../../../../components/static/preact.js";
import { yuan } from "../../../../components/static/format.js";
import { agentName, ask } from "../page.js";
import { trying } from "./hooks.js";

const MOST = 3; // beside the year on the page
const OFFERED = 200; // years that can be chosen

// The race of a year, begun from the address or with the rivals in its market, and the list that years are chosen from.
export function useRace(store) {
  const race = useRef(null);
  const [home, setHome] = useState({ runs: [], merchants: [], providers: [] });
  race.current ??= new Race(store);
  useEffect(() => {
    trying(store, async () => {
      setHome(await ask("/api/home"));
      await race.current.begin(new URLSearchParams(location.search).get("race"));
    });
  }, []);
  useEffect(() => { race.current.follow(); }, [store.year.turns]);
  return [race.current, home];
}

class Race {
  constructor(store) {
    this.store = store;
    this.racers = [];
  }

  get chosen() {
    return this.racers.filter((racer) => racer.chosen);
  }

  // For the chart: where the calls of each first differ.
  get partings() {
    return this.racers.filter((racer) => racer.parted != null)
      .map((racer) => ({ day: racer.parted, parting: true, text: `${racer.name}: other calls from here on` }));
  }

  async begin(asked) {
    for (const key of asked ? asked.split(",") : []) await this.add(key, true);
    for (const id of asked ? [] : this.store.year.rivals) await this.add(`${id}:${this.store.episode}`, false);
  }

  async add(key, chosen = true) {
    if (this.racers.some((racer) => racer.key === key) || (chosen && this.chosen.length >= MOST)) return;
    const { timeline } = await ask(`/api/runs/${key.replace(":", "/")}`);
    const { day, differs } = chosen ? await this.parting(key) : { day: null, differs: [] };
    const agent = agentName(timeline.agent);
    const name = differs.length ? `${agent} on ${timeline.world}, ${timeline.days} days` : agent;
    this.racers.push({ key, chosen, name, differs, curve: timeline.total, over: timeline.ending != null, parted: day,
      same: chosen && day == null });
    this.changed();
  }

  drop(racer) {
    this.racers = this.racers.filter((each) => each !== racer);
    this.changed();
  }

  changed() {
    this.store.raced = this.chosen.map((racer) => racer.key).join(",");
    this.store.note();
    this.store.changed();
  }

  parting(key) {
    return ask(`${this.store.path}/parting/${key.replace(":", "/")}`);
  }

  // After further turns: lines of years that continue grow, and a branch may have parted from its year.
  follow() {
    return trying(this.store, async () => {
      for (const racer of this.racers) {
        if (!racer.over) racer.curve = (await ask(`/api/runs/${racer.key.replace(":", "/")}`)).timeline.total;
        if (racer.same) racer.parted = (await this.parting(racer.key)).day;
        racer.same &&= racer.parted == null;
      }
      if (this.racers.length) this.store.changed();
    });
  }
}

// The standings on the morning that is looked at, or at the end, and the years that could be raced.
export function RaceStandings({ store, race, years }) {
  const { timeline } = store.year;
  const raced = new Set([`${store.run}:${store.episode}`, ...race.racers.map((racer) => racer.key)]);
  const others = years.filter((run) => run.turns > 0 && !raced.has(`${run.id}:${run.episode}`)).slice(0, OFFERED);
  const alike = (run) => run.world === timeline.world && run.days === timeline.days && run.rules === timeline.rules;
  const [same, different] = [others.filter(alike), others.filter((run) => !alike(run))];
  const moment = timeline.ending != null && store.day >= timeline.total.length - 1 ? "at the end"
    : `at 08:00 on day ${store.day}`;
  return html`<div class="race" role="group" aria-label="Race">
    ${race.racers.length ? html`<ul><li key="own" class="racer-0">this year, ${timeline.world}
      , ${timeline.days} days: ${yuan(timeline.total[store.day] ?? timeline.total.at(-1))} ${moment}</li>
      ${race.racers.map((racer, at) => html`<${Standing} key=${racer.key} racer=${racer} at=${at} day=${store.day}
        drop=${() => race.drop(racer)} />`)}</ul>` : null}
    ${others.length && race.chosen.length < MOST ? html`<select aria-label="Race against another year" value=""
      onChange=${(event) => { const key = event.target.value; event.target.value = "";
      trying(store, () => race.add(key)); }}>
      <option value="">Race against …</option>
      ${same.map(choice)}
      ${different.length ? html`<optgroup label="Other worlds, lengths or rules">${different.map(choice)}</optgroup>`
        : null}</select>` : null}</div>`;
}

function choice(run) {
  return html`<option key=${`${run.id}:${run.episode}`} value=${`${run.id}:${run.episode}`}>${agentName(run.agent)}
    , ${run.world}, ${run.days} days, ${run.final_assets == null ? `${yuan(run.curve.at(-1))} so far`
    : yuan(run.final_assets)} (${run.folder})</option>`;
}

function Standing({ racer, at, day, drop }) {
  const last = day >= racer.curve.length - 1;
  const calls = racer.parted != null ? `, other calls from day ${racer.parted} on` : racer.same
    ? ", the same calls as far as both go" : "";
  return html`<li class=${`racer-${at + 1}`}><a href=${`/runs/${racer.key.replace(":", "/")}?day=${day}`}>${racer.name}
    </a> ${yuan(racer.curve[Math.min(day, racer.curve.length - 1)])}${last ? (racer.over ? " at its end" : " so far")
    : ""}${calls}
    ${racer.differs.length ? html` <span class="bad">(another ${racer.differs.join(" and ")}: not comparable)</span>`
      : null}
    ${racer.chosen ? html`<button type="button" aria-label=${`Take ${racer.name} out of the race`} onClick=${drop}>×
      </button>` : null}</li>`;
}
