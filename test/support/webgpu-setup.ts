import { testGpu } from "./test-gpu.ts";

/** Runs before the test processes start: they inherit the environment in which Dawn finds the GPU of tests. */
export default function setup(): void {
  const found = testGpu();
  if ("env" in found) Object.assign(process.env, found.env);
}
