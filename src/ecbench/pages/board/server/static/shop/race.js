// Years beside one another on one clock: a line each, and where their calls first differ from the year on the page.

import { Button } from "../../../../components/static/controls.js";
import { yuan } from "../../../../components/static/format.js";
import { html, useEffect, useState } from "../../../../components/static/preact.js";
import { agentName, ask } from "../page.js";
import { useAnswer } from "./store.js";

const MOST = 3; // beside the year on the page
const OFFERED = 200; // years that can be chosen

// The years of the address, else the rivals in the market; and the home page, from which years are chosen.
export function useRace(store) {
  const asked = new URLSearchParams(location.search).get("race");
  const [chosen, setChosen] = useState(asked ? asked.split(",") : []);
  const [racers, show] = useState([]);
  const home = useAnswer("/api/home", ask);
  const keys = chosen.length || asked ? chosen : store.year.rivals.map((id) => `${id}:${store.episode}`);
  const choose = (next) => {
    setChosen(next.slice(0, MOST));
    store.raced = next.slice(0, MOST).join(",");
    store.note();
  };
  useEffect(() => { store.raced = chosen.join(","); }, []);
  useEffect(() => { // again after further turns: lines grow, and a branch may have parted from its year
    store.quietly(async () => show(await Promise.all(keys.map(async (key) =>
      ({ key, ...await ask(`${store.path}/race/${key.replace(":", "/")}`) })))));
  }, [keys.join(), store.year.turns]);
  const partings = racers.filter((racer) => racer.parted != null)
    .map((racer) => ({ day: racer.parted, parting: true, text: `${racer.name}: other calls from here on` }));
  return { racers, chosen, choose, partings, home: home?.runs ? home : { runs: [], merchants: [], providers: [] } };
}

// The standings on the morning that is looked at, or at the end, and the years that could be raced.
export function RaceStandings({ store, race: { racers, chosen, choose, home } }) {
  const { timeline } = store.year;
  const raced = [`${store.run}:${store.episode}`, ...racers.map((racer) => racer.key)];
  const others = home.runs.filter((run) => run.turns > 0 && !raced.includes(keyOf(run))).slice(0, OFFERED);
  const alike = (run) => ["world", "days", "rules"].every((term) => run[term] === timeline[term]);
  const different = others.filter((run) => !alike(run));
  const atEnd = timeline.ending != null && store.day >= timeline.total.length - 1;
  const add = (event) => choose([...chosen, event.target.value]);
  return html`<div class="race" role="group" aria-label="Race">
    ${racers.length > 0 && html`<ul><li key="own" class="racer-0">this year, ${timeline.world}, ${timeline.days}${" "}
      days: ${yuan(timeline.total[store.day] ?? timeline.total.at(-1))}
      ${atEnd ? " at the end" : ` at 08:00 on day ${store.day}`}</li>
      ${racers.map((racer, at) => html`<${Standing} key=${racer.key} racer=${racer} at=${at} day=${store.day}
        drop=${chosen.includes(racer.key) && (() => choose(chosen.filter((key) => key !== racer.key)))} />`)}</ul>`}
    ${others.length > 0 && chosen.length < MOST && html`<select aria-label="Race against another year" value=""
      onChange=${add}><option value="">Race against …</option>${others.filter(alike).map(choice)}
      ${different.length > 0 && html`<optgroup label="Other worlds, lengths or rules">${different.map(choice)}
        </optgroup>`}</select>`}</div>`;
}

function keyOf(run) {
  return `${run.id}:${run.episode}`;
}

function choice(run) {
  const money = run.final_assets == null ? `${yuan(run.curve.at(-1))} so far` : yuan(run.final_assets);
  return html`<option key=${keyOf(run)} value=${keyOf(run)}>
    ${`${agentName(run.agent)}, ${run.world}, ${run.days} days, ${money} (${run.folder})`}</option>`;
}

function Standing({ racer, at, day, drop }) {
  const { name, curve, over, parted, differs } = racer;
  const when = day < curve.length - 1 ? "" : over ? " at its end" : " so far";
  const calls = parted != null ? `, other calls from day ${parted} on` : drop ? ", the same calls as far as both go"
    : "";
  return html`<li class=${`racer-${at + 1}`}><a href=${`/runs/${racer.key.replace(":", "/")}?day=${day}`}>${name}</a>
    ${` ${yuan(curve[Math.min(day, curve.length - 1)])}${when}${calls}`}
    ${differs.length > 0 && html` <span class="bad">(another ${differs.join(" and ")}: not comparable)</span>`}
    ${drop && html`<${Button} label="×" aria-label=${`Take ${name} out of the race`} act=${drop} />`}</li>`;
}
