import { closeSync, fstatSync, openSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * A file in the address space of the process. Nothing is read before it is looked at, and the system decides what of it stays in memory,
 * so that looking at a row costs no call. Other threads see the same mapping by its address.
 */
export interface Mapping {
  readonly address: bigint;
  readonly bytes: number;
}

/** What is asked of the C library, as Linux numbers it. */
interface Memory {
  view(address: bigint, bytes: number): ArrayBuffer;
  mmap(at: null, bytes: number, protection: number, flags: number, file: number, offset: number): bigint;
  munmap(address: bigint, bytes: number): number;
  madvise(address: bigint, bytes: number, advice: number): number;
}

const PROT_READ = 1;
const MAP_SHARED = 1;
const MAP_FAILED = 2n ** 64n - 1n;
const MADV_RANDOM = 1;
const MADV_WILLNEED = 3;
const MADV_DONTNEED = 4;
const PAGE = 4096;

let known: Memory | null | undefined;

/** The functions of the system, through the package `koffi`; null where there is no such package or the system is another. */
function memory(): Memory | null {
  if (known !== undefined) return known;
  known = null;
  if (process.platform !== "linux") return known;
  try {
    const koffi = createRequire(import.meta.url)("koffi");
    const libc = koffi.load(null);
    known = {
      view: koffi.view,
      mmap: libc.func("void *mmap(void *at, size_t bytes, int protection, int flags, int file, int64_t offset)"),
      munmap: libc.func("int munmap(void *address, size_t bytes)"),
      madvise: libc.func("int madvise(void *address, size_t bytes, int advice)"),
    };
  } catch {
    // without the package, files are read
  }
  return known;
}

/** True if files can be mapped here. */
export function canMap(): boolean {
  return memory() !== null;
}

/** Maps a file for reading; null if it is empty or the system refuses. `order` is that in which it will be looked at. */
export function mapFile(path: string, order: "near" | "random"): Mapping | null {
  const system = memory();
  if (!system) return null;
  const file = openSync(path, "r");
  try {
    const bytes = fstatSync(file).size;
    if (bytes === 0) return null;
    const address = system.mmap(null, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (BigInt.asUintN(64, address) === MAP_FAILED) return null;
    if (order === "random") system.madvise(address, bytes, MADV_RANDOM);
    return { address, bytes };
  } finally {
    closeSync(file); // the mapping stays
  }
}

/** The content of a mapping, also of one that another thread made. */
export function mappedBytes({ address, bytes }: Mapping): ArrayBuffer {
  return memory()!.view(address, bytes);
}

/** Asks the system to fetch a part soon; returns at once. */
export function fetchSoon({ address }: Mapping, begin: number, end: number): void {
  const first = begin - (begin % PAGE);
  memory()!.madvise(address + BigInt(first), end - first, MADV_WILLNEED);
}

/** Takes what was looked at out of the process's memory; the system may still have it. Looking again brings it back. */
export function releaseMapped({ address, bytes }: Mapping): void {
  memory()!.madvise(address, bytes, MADV_DONTNEED);
}

/** Ends a mapping: nobody may look at it afterwards. */
export function unmap({ address, bytes }: Mapping): void {
  memory()!.munmap(address, bytes);
}
