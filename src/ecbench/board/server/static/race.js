// Years beside one another on one clock: a line each, and where their calls first differ from the year on the board.

import { agentName, ask, el, put, trying, yuan } from "./page.js";

const MOST = 3; // beside the year on the board

export class Race {
  constructor(place, path, changed) {
    this.place = place;
    this.path = path;
    this.changed = changed;
    this.racers = [];
  }

  get address() {
    return this.racers.filter((racer) => racer.chosen).map((racer) => racer.key).join(",");
  }

  get partings() {
    return this.racers.filter((racer) => racer.parted != null).map((racer) => ({ day: racer.parted, parting: true, text: `${racer.name}: other calls from here on` }));
  }

  async begin(asked, rivals) {
    for (const key of asked ? asked.split(",").slice(0, MOST) : []) await this.add(key, true);
    for (const id of asked ? [] : rivals) await this.add(`${id}:${this.path.split("/").at(-1)}`, false);
  }

  async add(key, chosen = true) {
    const [id, number] = key.split(":");
    if (this.racers.some((racer) => racer.key === key) || this.racers.filter((racer) => racer.chosen).length >= MOST) return;
    const found = await trying(() => ask(`/api/runs/${encodeURIComponent(id)}/${Number(number)}`));
    if (!found) return;
    const parting = chosen ? await this.parting(id, number) : null;
    const year = found.timeline;
    this.racers.push({ key, chosen, name: agentName(year.agent), curve: year.total, over: year.ending != null, parted: parting?.day ?? null, same: chosen && parting?.day == null });
    this.changed();
  }

  parting(id, number) {
    return trying(() => ask(`${this.path}/parting/${encodeURIComponent(id)}/${Number(number)}`));
  }

  // A branch that has just begun parts from its year when it makes its first call.
  async part() {
    for (const racer of this.racers.filter((each) => each.same)) {
      racer.parted = (await this.parting(...racer.key.split(":")))?.day ?? null;
      racer.same = racer.parted == null;
    }
  }

  // In a market with rivals their lines grow with one's own days.
  async grow() {
    for (const racer of this.racers.filter((each) => !each.chosen)) {
      const found = await trying(() => ask(`/api/runs/${racer.key.replace(":", "/")}`));
      if (found) racer.curve = found.timeline.total;
    }
  }

  drop(racer) {
    this.racers = this.racers.filter((each) => each !== racer);
    this.changed();
  }

  // The standings on the chosen morning, or at the end, and the other years that could be raced.
  show(day, own, over, years) {
    const last = (curve) => day >= curve.length - 1;
    const moment = over && last(own) ? "at the end" : `at 08:00 on day ${day}`;
    const line = (racer, at) => {
      const amount = racer.curve[Math.min(day, racer.curve.length - 1)];
      const parted = racer.parted != null ? `, other calls from day ${racer.parted} on` : racer.same ? ", the same calls as far as both go" : "";
      return el("li", { class: `racer-${at + 1}` }, el("a", { href: `/runs/${racer.key.replace(":", "/")}?day=${day}` }, racer.name), ` ${yuan(amount)}${last(racer.curve) ? (racer.over ? " at its end" : " so far") : ""}${parted}`,
        racer.chosen ? el("button", { type: "button", "aria-label": `Take ${racer.name} out of the race`, onclick: () => this.drop(racer) }, "×") : null);
    };
    const others = years.filter((run) => !this.racers.some((racer) => racer.key === `${run.id}:${run.episode}`) && !this.path.endsWith(`/${run.id}/${run.episode}`) && run.turns > 0);
    const pick = el("select", { "aria-label": "Race against another year", onchange: (event) => this.add(event.target.value) },
      el("option", { value: "" }, "Race against…"), others.slice(0, 200).map((run) => el("option", { value: `${run.id}:${run.episode}` }, `${agentName(run.agent)}, ${run.world}, ${run.final_assets == null ? `${yuan(run.curve.at(-1))} so far` : yuan(run.final_assets)} (${run.folder})`)));
    const room = this.racers.filter((racer) => racer.chosen).length < MOST && others.length;
    put(this.place, this.racers.length ? el("ul", {}, el("li", { class: "racer-0" }, `this year ${yuan(own[day] ?? own.at(-1))} ${moment}`), this.racers.map(line)) : null, room ? pick : null);
  }
}
