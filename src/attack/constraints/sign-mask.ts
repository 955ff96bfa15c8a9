import type { Buffer, PairBuffers } from "../../backend/backend.ts";
import { csrFromEntries } from "../../graph/csr.ts";
import type { Flips } from "../../graph/flips.ts";
import { mergeRows } from "../../graph/merge-rows.ts";
import { symmetrise } from "../../graph/symmetrise.ts";
import { type GraphView, keep, SparseMatrix } from "../../tensor/index.ts";
import type { Allowance } from "./allowance.ts";
import type { Constraints } from "./constraints.ts";

/**
 * Applies constraints on the device to blocks that also hold forbidden pairs: sets their signs to 0. A gradient is
 * multiplied by the sign, so these pairs never leave the weight that they start with.
 */
export class SignMask {
  private readonly view: GraphView;
  private readonly constraints: Constraints;
  /** 1 for each node of the first and of the second set. */
  private readonly first: Buffer;
  private readonly second: Buffer;
  private forbidden: SparseMatrix | null;

  constructor(view: GraphView, constraints: Constraints) {
    const { backend } = view;
    const { protectedPairs } = constraints;
    this.view = view;
    this.constraints = constraints;
    this.first = backend.upload(this.members(1));
    this.second = backend.upload(this.members(2));
    this.forbidden = protectedPairs && keep(SparseMatrix.upload(backend, protectedPairs));
  }

  /** Writes 0 over the signs of pairs that may not be flipped. */
  apply(allSigns: Buffer, pairs: PairBuffers): void {
    const { backend } = this.view;
    const { only, between } = this.constraints.rules;
    const signs = backend.view(allSigns, 0, pairs.length);
    const joined = this.across(pairs, this.first, this.second);
    if (between) {
      const back = this.across(pairs, this.second, this.first);
      const both = backend.alloc("f32", pairs.length);
      backend.binary("mul", both, joined, back);
      backend.affine({ out: joined, a: 1, A: joined, b: 1, B: back });
      backend.affine({ out: joined, a: 1, A: joined, b: -1, B: both });
      for (const buffer of [back, both]) backend.free(buffer);
    }
    backend.binary("mul", signs, signs, joined);
    if (only) this.keepSign(signs, only === "additions" ? 1 : -1);
    if (this.forbidden) {
      backend.pairSigns(joined, pairs, this.forbidden.buffers); // −1 where a pair is stored
      this.keepSign(joined, 1);
      backend.binary("mul", signs, signs, joined);
    }
    backend.free(joined);
  }

  /** From now on `flips` and all pairs at nodes without room are forbidden, too. */
  narrow(flips: Flips, allowance: Allowance): void {
    const { backend } = this.view;
    const { graph, protectedPairs } = this.constraints;
    backend.write(this.first, this.members(1, allowance));
    backend.write(this.second, this.members(2, allowance));
    const entries = csrFromEntries(graph.numNodes, graph.numNodes, flips.sources, flips.targets);
    const made = graph.directed ? entries : symmetrise(entries);
    this.forbidden?.dispose();
    const forbidden = protectedPairs ? mergeRows(protectedPairs, made, "keep") : made;
    this.forbidden = keep(SparseMatrix.upload(backend, forbidden));
  }

  dispose(): void {
    this.view.backend.free(this.first);
    this.view.backend.free(this.second);
    this.forbidden?.dispose();
  }

  private members(bit: number, allowance?: Allowance): Float32Array {
    return Float32Array.from(this.constraints.sides, (side, node) =>
      (side & bit) !== 0 && (allowance?.hasRoom(node) ?? true) ? 1 : 0,
    );
  }

  /** 1 for each pair whose source is in one set and whose target is in the other. */
  private across({ sources, targets, length }: PairBuffers, ofSources: Buffer, ofTargets: Buffer): Buffer {
    const { backend } = this.view;
    const out = backend.alloc("f32", length);
    const other = backend.alloc("f32", length);
    backend.gatherRows(out, ofSources, backend.view(sources, 0, length), 1);
    backend.gatherRows(other, ofTargets, backend.view(targets, 0, length), 1);
    backend.binary("mul", out, out, other);
    backend.free(other);
    return out;
  }

  /** Writes 0 over the numbers that do not have this sign. */
  private keepSign(x: Buffer, sign: 1 | -1): void {
    const { backend } = this.view;
    if (sign < 0) backend.affine({ out: x, a: -1, A: x });
    backend.unary("relu", x, x);
    if (sign < 0) backend.affine({ out: x, a: -1, A: x });
  }
}
