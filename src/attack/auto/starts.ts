import type { Flips } from "../../graph/flips.ts";
import type { Model } from "../../nn/model.ts";
import type { AttackTask } from "../attack.ts";
import { grbcd } from "../grbcd.ts";
import { prbcd } from "../prbcd.ts";
import type { Victim } from "../victim.ts";

/** A search for flips that are worth polishing. */
export interface Start {
  readonly name: string;
  find(task: AttackTask): Promise<Flips>;
}

/** Sizes of the attacks that are run as starts. */
export interface StartOptions {
  readonly epochs: number;
  readonly blockSize: number;
}

/** All starts that fit a model. `from`: flips of a smaller budget, if there are any. */
export function startsFor(
  { model, view }: Victim,
  task: AttackTask,
  from: Flips,
  { epochs, blockSize }: StartOptions,
): Start[] {
  const gradientStarts = (found: Model, suffix: string): Start[] => {
    if (!found.differentiable.edges) return [];
    const config = { epochs, blockSize, polish: 0 };
    return [
      { name: `prbcd${suffix}`, find: async (of) => (await prbcd(found, view, of, config)).perturbation.flips },
      { name: `grbcd${suffix}`, find: async (of) => (await grbcd(found, view, of, config)).perturbation.flips },
    ];
  };
  const given: Start = { name: "smaller budget", find: async () => from };
  return [
    ...(from.sources.length > 0 ? [given] : []),
    ...gradientStarts(model, ""),
    ...(task.surrogates ?? []).flatMap((surrogate) => gradientStarts(surrogate, ` on ${surrogate.name}`)),
  ];
}
