import { silent } from "../../core/progress.ts";
import type { StopSignal } from "../../core/stop-signal.ts";
import { type Flips, noFlips } from "../../graph/flips.ts";
import type { AttackTask, StageReport } from "../attack.ts";
import { resumeEva } from "../eva/eva.ts";
import { polishDefaults, polishFlips } from "../polish/polish.ts";
import { evaluateAfter } from "../standing/evaluate-after.ts";
import { hasCheapTrials } from "../standing/open-standing.ts";
import type { Victim } from "../victim.ts";

/** Flips with a name. */
export interface NamedFlips {
  readonly name: string;
  readonly flips: Flips;
}

/** The clean graph as a start. */
export const nothing: NamedFlips = { name: "nothing", flips: noFlips };

/** Generations of evolution for each round of polish: few where every evaluation is a forward pass. */
const GENERATIONS = { patched: 5, wholePass: 0.5 };

/** How long stages are polished, and with how many candidates. */
export interface StageOptions {
  readonly rounds: number;
  readonly blockSize: number;
}

/** The stages of an attack, with what each achieved. */
export class Stages {
  private readonly victim: Victim;
  private readonly task: AttackTask;
  private readonly options: StageOptions;
  private readonly done: (StageReport & NamedFlips)[] = [];

  constructor(victim: Victim, task: AttackTask, options: StageOptions) {
    this.victim = victim;
    this.task = task;
    this.options = options;
  }

  get isEmpty(): boolean {
    return this.done.length === 0;
  }

  /** The flips with the lowest score, the earliest on ties. */
  get strongest(): NamedFlips {
    return this.done.reduce((a, b) => (b.score < a.score ? b : a));
  }

  get reports(): StageReport[] {
    return this.done.map(({ name, score, seconds }) => ({ name, score, seconds }));
  }

  async run(name: string, find: () => Promise<Flips>): Promise<void> {
    const begin = performance.now();
    const flips = await find();
    const { score } = await evaluateAfter(this.victim, flips);
    this.done.push({ name, flips, score, seconds: (performance.now() - begin) / 1000 });
  }

  /** Evolution from the strongest flips so far: random exchanges find changes that no gradient points to. */
  async evolve(signal: StopSignal): Promise<void> {
    if (this.options.rounds === 0 || signal.aborted) return;
    const { model, view } = this.victim;
    const perRound = hasCheapTrials(this.victim) ? GENERATIONS.patched : GENERATIONS.wholePass;
    const epochs = Math.ceil(perRound * this.options.rounds);
    const { name, flips } = this.isEmpty ? nothing : this.strongest;
    await this.run(`${name} + eva`, async () => {
      return (await resumeEva(model, view, { ...this.task, signal }, flips, { epochs })).perturbation.flips;
    });
  }

  /** Polishes flips until the signal says stop. */
  async polish({ name, flips }: NamedFlips, signal: StopSignal): Promise<void> {
    const { rounds, blockSize } = this.options;
    if (rounds === 0 || signal.aborted) return;
    const { progress = silent } = this.task;
    const noted = {
      update: (done: number, total: number, note = "") => progress.update(done, total, `${name} + ${note}`),
    };
    const task = { ...this.task, signal, progress: noted };
    await this.run(`${name} + polish`, async () => {
      return (await polishFlips(this.victim, task, flips, { ...polishDefaults, rounds, blockSize })).flips;
    });
  }
}
