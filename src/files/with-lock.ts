import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Interrupted } from "../core/errors.ts";
import type { StopSignal } from "../core/stop-signal.ts";

/** How {@link withLock} waits. */
export interface LockWatch {
  /** Called once, with the process that holds the lock. */
  readonly waits?: (pid: number) => void;
  readonly signal?: StopSignal | undefined;
}

const LOOKS_AGAIN = 200;

/** Locks that this process holds. A killed process may have had our number (in containers) and left its lock. */
const held = new Set<string>();

/**
 * Does `work` while holding a lock that one process of this machine can hold at a time: the file at `path` has its
 * number. A lock that a killed process left behind is ignored.
 */
export async function withLock<T>(path: string, watch: LockWatch, work: () => Promise<T>): Promise<T> {
  let told = false;
  for (let holder = take(path); holder !== null; holder = take(path)) {
    if (!told) watch.waits?.(holder);
    told = true;
    await pause(LOOKS_AGAIN);
    if (watch.signal?.aborted) throw new Interrupted(`interrupted while process ${holder} was at work on ${path}`);
  }
  try {
    return await work();
  } finally {
    held.delete(path);
    if (holderOf(path) === process.pid) rmSync(path, { force: true });
  }
}

/** Tries to take the lock: null if this process has it now, else the number of the process that holds it. */
function take(path: string): number | null {
  const holder = holderOf(path);
  if (holder !== null && (holder === process.pid ? held.has(path) : isAlive(holder))) return holder;
  if (holder !== null) {
    const other = removeLeft(path, holder);
    if (other !== null) return other;
  }
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: "wx" });
    held.add(path);
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return holderOf(path) ?? take(path); // another process took it first
  }
}

/**
 * Removes the lock that `dead` left behind. Another process may have done so and taken the lock since: that one is put
 * back, and its holder is returned.
 */
function removeLeft(path: string, dead: number): number | null {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside); // of several processes that see the same file, one moves it
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const moved = holderOf(aside);
  if (moved === null || moved === dead) {
    rmSync(aside, { force: true });
    return null;
  }
  renameSync(aside, path);
  return moved;
}

function holderOf(path: string): number | null {
  try {
    return Number.parseInt(readFileSync(path, "utf8"), 10);
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // alive, but of another user
  }
}
