import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type SmallGraphFiles, smallGraphs, writeFiles } from "../../test/support/small-graph-files.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { watchAllocations } from "../../test/support/watch-allocations.ts";
import { UserError } from "../core/errors.ts";
import { checkGraph } from "../graph/graph.ts";
import { loadGraph } from "./load.ts";

/** Something done to bytes; places are shares of the length, so that they fit any file. */
type Edit = (bytes: Uint8Array) => Uint8Array;

/** Every place alike: doubles of fast-check are nearly all close to 0, which would only ever spoil the first byte. */
const share = fc.noBias(fc.integer({ min: 0, max: 99_999 })).map((part) => part / 100_000);
const at = (bytes: Uint8Array, where: number) => Math.floor(where * bytes.length);

const truncate = share.map(
  (end): Edit =>
    (bytes) =>
      bytes.slice(0, at(bytes, end)),
);
const flip = fc.tuple(share, fc.integer({ min: 1, max: 255 })).map(
  ([where, bits]): Edit =>
    (bytes) => {
      const copy = bytes.slice();
      copy[at(bytes, where)] ^= bits;
      return copy;
    },
);
/** Numbers at which lengths and offsets go wrong. */
const extreme = fc.constantFrom(0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, 0x80000000);
const overwrite = fc.tuple(share, extreme).map(
  ([where, value]): Edit =>
    (bytes) => {
      const copy = bytes.slice();
      copy.set(
        new Uint8Array(Uint32Array.of(value).buffer).subarray(0, bytes.length - at(bytes, where)),
        at(bytes, where),
      );
      return copy;
    },
);
/** A piece of the file put in at another place, over what is there or between. */
const splice = fc.tuple(share, share, share, fc.boolean()).map(
  ([from, to, where, over]): Edit =>
    (bytes) => {
      const piece = bytes.slice(at(bytes, Math.min(from, to)), at(bytes, Math.max(from, to)));
      const before = bytes.slice(0, at(bytes, where));
      const after = bytes.slice(at(bytes, where) + (over ? piece.length : 0));
      return Uint8Array.of(...before, ...piece, ...after);
    },
);
/** A digit or sign of text that becomes another. */
const retype = fc.tuple(share, fc.constantFrom(..."0123456789-+.,eE\n nN")).map(
  ([where, character]): Edit =>
    (bytes) => {
      const copy = bytes.slice();
      if (bytes.length > 0) copy[at(bytes, where)] = character.charCodeAt(0);
      return copy;
    },
);
const edit = fc.oneof(truncate, flip, flip, overwrite, overwrite, splice, retype);
const edits = fc.array(fc.tuple(share, edit), { minLength: 1, maxLength: 3 });

/** Applies each edit to the file that its share picks. */
function spoil(
  files: Record<string, Uint8Array>,
  changes: readonly (readonly [number, Edit])[],
): Record<string, Uint8Array> {
  const spoiled = { ...files };
  const names = Object.keys(files);
  for (const [which, change] of changes) {
    const name = names[Math.floor(which * names.length)];
    spoiled[name] = change(spoiled[name]);
  }
  return spoiled;
}

const RUNS = 250;
const MILLISECONDS = 800;
const SLOW = 5000; // on a busy machine; in truth a millisecond

async function mustBeClean(
  folder: string,
  files: SmallGraphFiles,
  packed: Record<string, Uint8Array>,
): Promise<"loaded" | "refused"> {
  writeFiles(packed, folder);
  let outcome: "loaded" | "refused" = "loaded";
  const began = performance.now();
  const allocated = await watchAllocations(async () => {
    try {
      checkGraph((await loadGraph(join(folder, files.path))).graph);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      outcome = "refused";
      expect(error.message).not.toMatch(/[\p{Cc}\u2028\u2029]/u); // one line, nothing that a terminal obeys
    }
  });
  const size = Object.values(packed).reduce((total, bytes) => total + bytes.length, 0);
  expect(allocated).toBeLessThan(64 * size + 2 ** 18);
  expect(performance.now() - began).toBeLessThan(SLOW);
  return outcome;
}

test("the watch sees memory that is asked for and never touched", async () => {
  expect(await watchAllocations(async () => new Float32Array(1000))).toBe(4000);
});

/** Loads files that are spoilt in ever new ways. Whole ones must load and some must be refused, or this tests nothing. */
async function fuzz(
  files: SmallGraphFiles,
  spoilt: (changes: [number, Edit][]) => Record<string, Uint8Array>,
): Promise<void> {
  const folder = temporaryFolder();
  expect(await mustBeClean(folder, files, spoilt([]))).toBe("loaded");
  let refused = 0;
  const property = fc.asyncProperty(edits, async (changes) => {
    if ((await mustBeClean(folder, files, spoilt(changes))) === "refused") refused++;
  });
  const limits = { interruptAfterTimeLimit: MILLISECONDS, markInterruptAsFailure: false };
  await fc.assert(property, { numRuns: RUNS, seed: 20, ...limits });
  expect(refused).toBeGreaterThan(0);
}

describe("spoilt files load or are refused by a clean error, soon and within little memory", () => {
  for (const [format, files] of Object.entries(smallGraphs) as [string, SmallGraphFiles][]) {
    const whole = files.pack(files.parts);
    test(`${format}: the files`, () => fuzz(files, (changes) => spoil(whole, changes)));
    if (whole !== files.parts) {
      test(`${format}: what they hold, packed again with right checksums`, () =>
        fuzz(files, (changes) => files.pack(spoil(files.parts, changes))));
    }
    test(`${format}: a part that is missing`, async () => {
      for (const name of Object.keys(files.parts)) {
        const { [name]: _, ...rest } = files.parts;
        await mustBeClean(temporaryFolder(), files, files.pack(rest));
      }
    });
  }
});
