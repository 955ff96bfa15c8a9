import { existsSync } from "node:fs";
import type { SmoothedVotes } from "../certify/certificates.ts";
import type { Drawing } from "../certify/voters.ts";
import { Votes } from "../certify/votes.ts";
import { check, DataError } from "../core/errors.ts";
import { encodeSafetensors, type StoredTensor } from "../nn/weights/safetensors.ts";
import { readSafetensors } from "./weights-files.ts";
import { writeAtomically } from "./write-atomically.ts";

/** The metadata key for what was voted on, and how often. */
const KEY = "rgnn-votes";

/** Which models voted on what, so that votes are never added to those of another model, graph or noise. */
export interface VotesOrigin {
  readonly models: number;
  readonly numNodes: number;
  readonly numClasses: number;
  /** Identifies everything that determines the votes, except how many there are and where graphs are drawn. */
  readonly identity: string;
}

/** Votes so far, and the time they took. */
export interface KeptVotes {
  readonly votes: readonly SmoothedVotes[];
  readonly seconds: number;
  /** For each model, where the graphs that it voted on were drawn. */
  readonly drawings: readonly Drawing[];
  /** Whether the models computed with float16. */
  readonly halves: boolean;
}

/** How many noisy graphs the votes in a file are from; none if there is no file. */
export function samplesIn(path: string): { choosing: number; bounding: number } {
  if (!existsSync(path)) return { choosing: 0, bounding: 0 };
  const { choosing, bounding } = headerOf(path, readSafetensors(path).metadata);
  return { choosing, bounding };
}

/**
 * The votes of models on the same noisy graphs, in a file that is whole or not there (rule D1). The file has counts as
 * floats, which are exact up to 2^24.
 */
export class VotesFile {
  readonly path: string;
  private readonly origin: VotesOrigin;

  constructor(path: string, origin: VotesOrigin) {
    this.path = path;
    this.origin = origin;
  }

  /** The votes so far, null if there is no file. Throws if they have another origin. */
  load(): KeptVotes | null {
    const { models, numNodes, numClasses, identity } = this.origin;
    if (!existsSync(this.path)) return null;
    const { tensors, metadata } = readSafetensors(this.path);
    const header = headerOf(this.path, metadata);
    check(
      header.identity === identity,
      () => `${this.path}: holds votes of another model, graph or noise; remove it, or name another file`,
      DataError,
    );
    const votesOf = (m: number, count: "choosing" | "bounding") =>
      new Votes(numNodes, numClasses, Uint32Array.from(tensors.get(`${count}.${m}`)!.data), header[count]);
    const votes = Array.from({ length: models }, (_, m) => ({
      choosing: votesOf(m, "choosing"),
      bounding: votesOf(m, "bounding"),
    }));
    return {
      votes,
      seconds: header.seconds,
      drawings: header.drawings ?? votes.map(() => "host"),
      halves: header.halves ?? false,
    };
  }

  async save({ votes, seconds, drawings, halves }: KeptVotes): Promise<void> {
    const { identity } = this.origin;
    const tensors = new Map<string, StoredTensor>();
    for (const [m, { choosing, bounding }] of votes.entries()) {
      tensors.set(`choosing.${m}`, tensorOf(choosing));
      tensors.set(`bounding.${m}`, tensorOf(bounding));
    }
    const header: Header = {
      identity,
      seconds,
      choosing: votes[0].choosing.samples,
      bounding: votes[0].bounding.samples,
      drawings,
      halves,
    };
    await writeAtomically(this.path, encodeSafetensors({ tensors, metadata: { [KEY]: JSON.stringify(header) } }));
  }
}

interface Header {
  readonly identity: string;
  readonly seconds: number;
  readonly choosing: number;
  readonly bounding: number;
  /** Missing in older files, where all graphs were drawn on the host. */
  readonly drawings?: readonly Drawing[];
  /** Missing in older files, where no model used halves. */
  readonly halves?: boolean;
}

function headerOf(path: string, metadata: Readonly<Record<string, string>>): Header {
  check(Object.hasOwn(metadata, KEY), () => `${path}: holds no votes; remove it, or name another file`, DataError);
  return JSON.parse(metadata[KEY]);
}

function tensorOf({ numNodes, numClasses, counts }: Votes): StoredTensor {
  return { dtype: "F32", shape: [numNodes, numClasses], data: Float32Array.from(counts) };
}
