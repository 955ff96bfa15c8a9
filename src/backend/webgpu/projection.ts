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
export function projection(gpu: Gpu): Pick<Backend, "projectOntoBudget"> {
  return {
    projectOntoBudget(out, x, budget, floor, ascent) {
      const name = "projectOntoBudget";
      check(budget >= 0, () => `${name}: budget must be at least 0, got ${budget}`);
      const [report, weights] = [gpu.floats(name, "out", out, 2), gpu.floats(name, "x", x)];
      const { length } = weights;
      const gradient = gpu.floatsOrNone(name, "ascent.gradient", ascent?.gradient, length);
      const numParts = Math.max(1, Math.min(MAX_PARTS, Math.ceil(length / (16 * WORKGROUP))));
      const chunk = Math.max(1, Math.ceil(length / numParts));
      const sizes = [["f32", (PROBES + 2) * numParts * PART] as const, ["f32", 2 * (PROBES + 3)] as const];
      gpu.borrow(sizes, (parts, brackets) => {
        const step = (entry: string, stage: number) => {
          const ASCENDS = Number(entry === "measure" && gradient !== null);
          const files = ["common", "project"] as const;
          const kernel = gpu.kernel(`project ${entry} ${ASCENDS}`, () => ({ files, entry, defines: { ASCENDS } }));
          const limits = [budget, floor, 1 - floor, ascent?.rate ?? 0];
          const args = [weights, parts, brackets, report, gradient];
          gpu.run(kernel, args, [length, chunk, numParts, stage, ...limits], numParts);
        };
        step("measure", 0);
        for (let stage = 1; stage <= PROBES; stage++) step("probe", stage);
        step("solve", PROBES + 1);
        step("shift", PROBES + 2);
      });
    },
  };
}
