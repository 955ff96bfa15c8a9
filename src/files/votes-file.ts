import { existsSync } from "node:fs";
import type { SmoothedVotes } from "../certify/certificates.ts";
import { Votes } from "../certify/votes.ts";
import { check, DataError } from "../core/errors.ts";
import { encodeSafetensors, type StoredTensor } from "../nn/weights/safetensors.ts";
import { readSafetensors } from "./weights-files.ts";
import { writeAtomically } from "./write-atomically.ts";

/** The key of the metadata under which lies what was voted on, and how often. */
const KEY = "rgnn-votes";

/** Who voted on what, so that votes are never added to those of another model, graph or noise. */
export interface VotesOrigin {
  readonly models: number;
  readonly numNodes: number;
  readonly numClasses: number;
  /** Names all that decides what votes there are, but for their number. */
  readonly identity: string;
}

/**
 * The votes of models over the same noisy graphs, in a file that is whole or not there (rule D1). Counts are floats in it, which are
 * exact up to 2^24.
 */
export class VotesFile {
  readonly path: string;
  private readonly origin: VotesOrigin;

  constructor(path: string, origin: VotesOrigin) {
    this.path = path;
    this.origin = origin;
  }

  /** The votes so far, none if there is no file; an error if they are about something else. */
  load(): SmoothedVotes[] {
    const { models, numNodes, numClasses, identity } = this.origin;
    const fresh = () => new Votes(numNodes, numClasses);
    if (!existsSync(this.path)) {
      return Array.from({ length: models }, () => ({ choosing: fresh(), bounding: fresh() }));
    }
    const { tensors, metadata } = readSafetensors(this.path);
    check(
      Object.hasOwn(metadata, KEY),
      () => `${this.path}: holds no votes; remove it, or name another file`,
      DataError,
    );
    const header = JSON.parse(metadata[KEY]);
    check(
      header.identity === identity,
      () => `${this.path}: holds votes of another model, graph or noise; remove it, or name another file`,
      DataError,
    );
    const votesOf = (m: number, count: "choosing" | "bounding") =>
      new Votes(numNodes, numClasses, Uint32Array.from(tensors.get(`${count}.${m}`)!.data), header[count]);
    return Array.from({ length: models }, (_, m) => ({
      choosing: votesOf(m, "choosing"),
      bounding: votesOf(m, "bounding"),
    }));
  }

  async save(votes: readonly SmoothedVotes[]): Promise<void> {
    const { identity } = this.origin;
    const tensors = new Map<string, StoredTensor>();
    for (const [m, { choosing, bounding }] of votes.entries()) {
      tensors.set(`choosing.${m}`, tensorOf(choosing));
      tensors.set(`bounding.${m}`, tensorOf(bounding));
    }
    const header = { identity, choosing: votes[0].choosing.samples, bounding: votes[0].bounding.samples };
    await writeAtomically(this.path, encodeSafetensors({ tensors, metadata: { [KEY]: JSON.stringify(header) } }));
  }
}

function tensorOf({ numNodes, numClasses, counts }: Votes): StoredTensor {
  return { dtype: "F32", shape: [numNodes, numClasses], data: Float32Array.from(counts) };
}
