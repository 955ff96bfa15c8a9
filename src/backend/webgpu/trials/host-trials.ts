import type { Backend } from "../../backend.ts";
import type { FlipTrials, TrialStack } from "../../contract/flip-trials.ts";
import { createWasm } from "../../wasm/wasm.ts";

/**
 * Trials on the threads of the host: a change reaches a handful of rows, found by following edges, which takes the CPU less time
 * than a launch takes. The threads start with the first trial.
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
