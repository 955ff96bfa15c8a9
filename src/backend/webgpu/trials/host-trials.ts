import type { Backend } from "../../backend.ts";
import type { FlipTrials, TrialStack } from "../../contract/flip-trials.ts";
import { createWasm } from "../../wasm/wasm.ts";

/**
 * Trials on the CPU: a change affects a handful of rows, which are found by following edges, and the CPU does that in
 * less time than a launch takes. Its threads start with the first trial.
 */
export class HostTrials {
  private cpu: Promise<Backend> | null = null;

  async open(stack: TrialStack): Promise<FlipTrials> {
    this.cpu ??= createWasm();
    return (await this.cpu).openTrials(stack);
  }

  async close(): Promise<void> {
    const cpu = this.cpu;
    this.cpu = null;
    await (await cpu)?.close();
  }
}
