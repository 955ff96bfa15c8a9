import { check } from "../../../core/errors.ts";
import type { Backend } from "../../backend.ts";
import { type Gpu, WORKGROUP } from "../device/gpu.ts";

/** Workgroups, each with one part of the weights. Every one of them adds up the parts of all, so they are not more than needed. */
const MAX_PARTS = 256;
/** Probes of the bracket, and points of each. */
interface Search {
  readonly PROBES: number;
  readonly POINTS: number;
}

/** The bracket ends 129^3 times smaller, close to the resolution of f32, and what is left is interpolated. */
const FEW_PROBES: Search = { PROBES: 3, POINTS: 128 };
/** 33^4 times smaller by less than half of the arithmetic: for weights that take longer than another launch. */
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
