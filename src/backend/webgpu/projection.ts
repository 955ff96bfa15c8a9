import { check } from "../../core/errors.ts";
import type { Backend } from "../backend.ts";
import { type Gpu, WORKGROUP } from "./gpu.ts";

/** Workgroups, each with one part of the weights. */
const MAX_PARTS = 512;
/** As in `project.wgsl`. */
const PART = 12;
/** Twelve points each: the bracket ends 13^6 times smaller, at the resolution of f32. */
const PROBES = 6;

/** Projection onto a budget, all on the device: a handful of passes over the weights, no read-back. */
export function projection(gpu: Gpu, { affine }: Pick<Backend, "affine">): Pick<Backend, "projectOntoBudget"> {
  return {
    projectOntoBudget(out, x, budget, floor, ascent) {
      const name = "projectOntoBudget";
      check(budget >= 0, () => `${name}: budget must be at least 0, got ${budget}`);
      const [report, weights] = [gpu.floats(name, "out", out, 2), gpu.floats(name, "x", x)];
      const { length } = weights;
      if (ascent) affine(x, 1, x, ascent.rate, ascent.gradient, 0);
      const numParts = Math.max(1, Math.min(MAX_PARTS, Math.ceil(length / (16 * WORKGROUP))));
      const chunk = Math.max(1, Math.ceil(length / numParts));
      const sizes = [["f32", (PROBES + 2) * numParts * PART] as const, ["f32", 2 * (PROBES + 3)] as const];
      gpu.borrow(sizes, (parts, brackets) => {
        const step = (entry: string, stage: number) => {
          const kernel = gpu.kernel(`project ${entry}`, () => ({ files: ["common", "project"], entry }));
          const limits = [budget, floor, 1 - floor];
          gpu.run(
            kernel,
            [weights, parts, brackets, report],
            [length, chunk, numParts, stage, ...limits],
            entry === "begin" ? 1 : numParts,
          );
        };
        step("measure", 0);
        step("begin", 1);
        for (let stage = 1; stage <= PROBES; stage++) step("probe", stage);
        step("solve", PROBES + 1);
        step("shift", PROBES + 2);
      });
    },
  };
}
