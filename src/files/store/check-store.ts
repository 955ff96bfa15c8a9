import { statSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { DataError } from "../../core/errors.ts";
import { type Progress, silent } from "../../core/progress.ts";
import { fileSource } from "../file-source.ts";
import { readStoreHeader } from "./read-store-header.ts";
import { BYTES_OF, CHECKED_BYTES, type PartsHeader, type StoreHeader, type StorePart } from "./store-header.ts";

/** A place where a store differs from what was written. */
export interface StoreDamage {
  readonly part: string;
  /** One line: the file, what is wrong with it and where. */
  readonly message: string;
  /** The range of bytes whose checksum is wrong, if a checksum is. */
  readonly begin?: number;
  readonly end?: number;
}

/** What {@link checkStore} found. */
export interface StoreCheck {
  readonly header: StoreHeader;
  readonly bytes: number;
  /** Empty for a store that is whole. */
  readonly damage: readonly StoreDamage[];
}

const PIECE = 2 ** 22;

/** Reads all of a store and compares it with its checksums. */
export async function checkStore(folder: string, progress: Progress = silent): Promise<StoreCheck> {
  const header = readStoreHeader(folder);
  return { header, bytes: totalBytes(header), damage: await damageOf(folder, header, progress) };
}

/** Reads all parts of a folder and compares them with their checksums. */
export async function damageOf(
  folder: string,
  header: PartsHeader,
  progress: Progress = silent,
): Promise<readonly StoreDamage[]> {
  const total = totalBytes(header);
  const damage: StoreDamage[] = [];
  let before = 0;
  for (const [name, part] of Object.entries(header.parts)) {
    const wrongSize = checkSize(folder, name, part);
    if (wrongSize) damage.push(wrongSize);
    else {
      const path = join(folder, part.file);
      for await (const wrong of wrongBlocks(path, part, (bytes) => progress.update(before + bytes, total, part.file))) {
        damage.push({ part: name, ...wrong });
      }
    }
    before += bytesOf(part);
  }
  return damage;
}

/** Throws unless all parts have the sizes that the header says: a check that is fast enough for opening a store. */
export function checkSizes(folder: string, { parts }: StoreHeader): void {
  for (const [name, part] of Object.entries(parts)) {
    const damage = checkSize(folder, name, part);
    if (damage) throw new DataError(damage.message);
  }
}

function totalBytes({ parts }: PartsHeader): number {
  return Object.values(parts).reduce((sum, part) => sum + bytesOf(part), 0);
}

function bytesOf({ length, type }: StorePart): number {
  return length * BYTES_OF[type];
}

function checkSize(folder: string, name: string, part: StorePart): StoreDamage | undefined {
  const path = join(folder, part.file);
  const here = statSync(path, { throwIfNoEntry: false });
  const expected = bytesOf(part);
  if (!here?.isFile()) return { part: name, message: `${path}: is missing; its header says ${expected} bytes` };
  if (here.size === expected) return undefined;
  const how = here.size < expected ? "is cut off" : "is too long";
  return { part: name, message: `${path}: ${how}, it has ${here.size} bytes and its header says ${expected}` };
}

async function* wrongBlocks(path: string, part: StorePart, done: (bytes: number) => void) {
  const source = fileSource(path);
  try {
    for (let begin = 0; begin < source.size; begin += CHECKED_BYTES) {
      const end = Math.min(source.size, begin + CHECKED_BYTES);
      let crc = 0;
      for (let at = begin; at < end; at += PIECE) crc = crc32(source.read(at, Math.min(PIECE, end - at)), crc);
      done(end);
      if (crc !== part.checksums[begin / CHECKED_BYTES]) {
        yield { message: `${path}: was changed, bytes ${begin} to ${end} have a wrong checksum`, begin, end };
      }
    }
  } finally {
    source.close();
  }
}
