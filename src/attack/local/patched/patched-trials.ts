import { breathe } from "../../../core/breathe.ts";
import { hasEntry } from "../../../graph/csr.ts";
import type { Flips } from "../../../graph/flips.ts";
import type { NodeTrials } from "../node-trials.ts";
import type { PatchedPass } from "./patched-pass.ts";

/** Discrete flips as a {@link PatchedPass}. */
export class PatchedTrials implements NodeTrials {
  private readonly pass: PatchedPass;

  constructor(pass: PatchedPass) {
    this.pass = pass;
  }

  async logits(node: number, flips: Flips): Promise<Float64Array> {
    const { adjacency } = this.pass.stack.graph;
    const { sources, targets } = flips;
    const deltas = Array.from(sources, (source, k) => (hasEntry(adjacency, source, targets[k]) ? -1 : 1));
    const logits = this.pass.run(node, flips, deltas);
    await breathe();
    return logits;
  }

  dispose(): void {}
}
