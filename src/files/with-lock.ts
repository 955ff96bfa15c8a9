import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Interrupted } from "../core/errors.ts";
import type { StopSignal } from "../core/stop-signal.ts";

/** How {@link withLock} waits. */
export interface LockWatch {
  /** Told once which process is waited for. */
  readonly waits?: (pid: number) => void;
  readonly signal?: StopSignal | undefined;
}

const LOOKS_AGAIN = 200;

/** Locks of this process: in a container, one that was killed may have had the same number. */
const held = new Set<string>();

/**
 * Does `work` while no other process of this machine does it: the one whose number is in the file at `path`. The lock of a process that
 * was killed counts for nothing.
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
    rmSync(path, { force: true });
  }
}

/** Null if the lock is ours now, else who holds it. */
function take(path: string): number | null {
  const holder = holderOf(path);
  if (holder !== null && (holder === process.pid ? held.has(path) : isAlive(holder))) return holder;
  if (holder !== null) rmSync(path, { force: true });
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: "wx" });
    held.add(path);
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return holderOf(path) ?? take(path); // somebody was quicker
  }
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
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it is somebody else's
  }
}
