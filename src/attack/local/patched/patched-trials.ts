import { breathe } from "../../../core/breathe.ts";
import { hasEntry } from "../../../graph/csr.ts";
import type { Flips } from "../../../graph/flips.ts";
import type { NodeTrials } from "../node-trials.ts";
import type { PatchedPass } from "./patched-pass.ts";

/** Tries discrete flips with a {@link PatchedPass}, which is made when flips are first tried. */
export class PatchedTrials implements NodeTrials {
  private readonly makePass: () => Promise<PatchedPass>;
  private pass: Promise<PatchedPass> | null = null;

  constructor(makePass: () => Promise<PatchedPass>) {
    this.makePass = makePass;
  }

  async logits(node: number, flips: Flips): Promise<Float64Array> {
    this.pass ??= this.makePass();
    const pass = await this.pass;
    const { adjacency } = pass.stack.graph;
    const { sources, targets } = flips;
    const deltas = Array.from(sources, (source, k) => (hasEntry(adjacency, source, targets[k]) ? -1 : 1));
    const logits = await pass.run(node, flips, deltas);
    await breathe();
    return logits;
  }

  dispose(): void {}
}
