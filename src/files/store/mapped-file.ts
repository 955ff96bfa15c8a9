import { closeSync, fstatSync, openSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * A file mapped into the address space of the process. The system reads a page when it is first accessed and decides
 * which pages stay in memory; accessing a row takes no system call. Other threads use the same mapping by its address.
 */
export interface Mapping {
  readonly address: bigint;
  readonly bytes: number;
}

/** The functions of the C library that are used; the constants below are those of Linux. */
interface Memory {
  view(address: bigint, bytes: number): ArrayBuffer;
  mmap(at: null, bytes: number, protection: number, flags: number, file: number, offset: number): bigint;
  munmap(address: bigint, bytes: number): number;
  posix_fadvise(file: number, begin: number, bytes: number, advice: number): number;
}

const PROT_READ = 1;
const MAP_SHARED = 1;
const MAP_FAILED = 2n ** 64n - 1n;
const POSIX_FADV_WILLNEED = 3;

let known: Memory | null | undefined;

/** These functions, through the package `koffi`; null if the package is missing or the system is not Linux. */
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
      posix_fadvise: libc.func("int posix_fadvise(int file, int64_t begin, int64_t bytes, int advice)"),
    };
  } catch {
    // without the package, files are read by calls
  }
  return known;
}

/** True if files can be mapped here. */
export function canMap(): boolean {
  return memory() !== null;
}

/** Maps a file for reading; null if it is empty or the system refuses. */
export function mapFile(path: string): Mapping | null {
  const system = memory();
  if (!system) return null;
  const file = openSync(path, "r");
  try {
    const bytes = fstatSync(file).size;
    if (bytes === 0) return null;
    const address = system.mmap(null, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (BigInt.asUintN(64, address) === MAP_FAILED) return null;
    return { address, bytes };
  } finally {
    closeSync(file); // the mapping stays
  }
}

/** The content of a mapping; another thread may have made it. */
export function mappedBytes({ address, bytes }: Mapping): ArrayBuffer {
  return memory()!.view(address, bytes);
}

/** Tells the system that a part of a file will be read soon, if it has a call for that. Returns at once. */
export function readSoon(file: number, begin: number, bytes: number): void {
  memory()?.posix_fadvise(file, begin, bytes, POSIX_FADV_WILLNEED);
}

/** Ends a mapping, which must not be accessed afterwards. */
export function unmap({ address, bytes }: Mapping): void {
  memory()!.munmap(address, bytes);
}
