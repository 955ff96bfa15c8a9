export { type Ceilings, measureCeilings } from "./ceilings.ts";
export { benchKernels, type KernelReport, type KernelResult } from "./kernels.ts";
export { type Machine, machine } from "./machine.ts";
