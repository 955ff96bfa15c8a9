import { check } from "../../../core/errors.ts";
import type { Backend } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";

/** Most workgroups. Each has a part of the weights and adds up the results of all parts: more would take longer. */
const MAX_PARTS = 256;
/** Number of probes that narrow the bracket, and points at which each evaluates the sum. */
interface Search {
  readonly PROBES: number;
  readonly POINTS: number;
}

/** Narrows the bracket 129^3 times, close to the resolution of f32; the rest is interpolated. */
const FEW_PROBES: Search = { PROBES: 3, POINTS: 128 };
/** Narrows it 33^4 times with less than half of the arithmetic: faster for many weights despite one more launch. */
const FEW_POINTS: Search = { PROBES: 4, POINTS: 32 };
const MANY_WEIGHTS = 2 ** 20;

/** Projection onto a budget, all on the device: a handful of passes over the weights, no read-back. */
export function projection(gpu: Gpu): Pick<Backend, "projectOntoBudget"> {
  return {
    projectOntoBudget(out, x, budget, floor, ascent) {
      const name = "projectOntoBudget";
      check(budget >= 0, () => `${name}: budget must be at least 0, got ${budget}`);
      const report = gpu.floats(name, "out", out, 2);
      const weights = gpu.floats(name, "x", x);
      const { length } = weights;
      const gradient = gpu.floatsOrNone(name, "ascent.gradient", ascent?.gradient, length);
      const numParts = Math.max(1, Math.min(MAX_PARTS, Math.ceil(length / (8 * WORKGROUP))));
      const chunk = Math.max(1, Math.ceil(length / numParts));
      const { PROBES, POINTS } = length < MANY_WEIGHTS ? FEW_PROBES : FEW_POINTS;
      const ceiling = 1 - floor;
      const rate = ascent?.rate ?? 0;
      const scratch = { parts: { f32: (PROBES + 1) * numParts * POINTS }, brackets: { f32: 4 * (PROBES + 1) } };
      gpu.borrow(scratch, ({ parts, brackets }) => {
        const step = (entry: string, stage: number) => {
          gpu.launch({
            shader: "project",
            entry,
            constants: { ASCENDS: Number(entry === "measure" && gradient !== null), POINTS },
            bind: { x: weights, parts, brackets, report, gradient },
            params: { length, chunk, numParts, stage, budget, floor, ceiling, rate },
            groups: numParts,
          });
        };
        step("measure", 0);
        for (let stage = 1; stage <= PROBES; stage++) step("probe", stage);
        step("shift", PROBES + 1);
      });
    },
  };
}
