import { existsSync } from "node:fs";
import type { SmoothedVotes } from "../certify/certificates.ts";
import type { Drawing } from "../certify/voters.ts";
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
  /** Names all that decides what votes there are, but for their number and for where graphs are drawn. */
  readonly identity: string;
}

/** Votes so far, and the time that they took. */
export interface KeptVotes {
  readonly votes: readonly SmoothedVotes[];
  readonly seconds: number;
  /** Where the graphs were drawn that each model voted on. */
  readonly drawings: readonly Drawing[];
  /** Whether models computed with halves. */
  readonly halves: boolean;
}

/** How many noisy graphs were voted on in a file; none if it is not there. */
export function samplesIn(path: string): { choosing: number; bounding: number } {
  if (!existsSync(path)) return { choosing: 0, bounding: 0 };
  const { choosing, bounding } = headerOf(path, readSafetensors(path).metadata);
  return { choosing, bounding };
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

  /** The votes so far, null if there is no file; an error if they are about something else. */
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
  /** Not in files from before there was a choice: on the host. */
  readonly drawings?: readonly Drawing[];
  /** Not in files from before it was asked: no. */
  readonly halves?: boolean;
}

function headerOf(path: string, metadata: Readonly<Record<string, string>>): Header {
  check(Object.hasOwn(metadata, KEY), () => `${path}: holds no votes; remove it, or name another file`, DataError);
  return JSON.parse(metadata[KEY]);
}

function tensorOf({ numNodes, numClasses, counts }: Votes): StoredTensor {
  return { dtype: "F32", shape: [numNodes, numClasses], data: Float32Array.from(counts) };
}
