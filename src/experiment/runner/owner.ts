import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { RunStore } from "../store/store.ts";

/**
 * A unique name for this process: machine, process number, the space in which that number is unique, and a random part.
 */
export function newOwner(): string {
  return `${hostname()}:${process.pid}:${PROCESS_SPACE}:${randomBytes(4).toString("hex")}`;
}

/** Releases the runs of processes of this machine that are gone, without waiting for their leases to end. */
export async function releaseDead(store: RunStore): Promise<void> {
  for (const { owner } of await store.owners()) if (isDead(owner)) await store.release(owner);
}

function isDead(owner: string): boolean {
  const [host, pid, space] = owner.split(":");
  if (host !== hostname() || space !== PROCESS_SPACE) return false; // cannot be checked from here: its lease will end
  try {
    process.kill(Number(pid), 0); // signal 0 only checks that the process exists
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/**
 * Identifies the space in which process numbers are unique. Containers may share a host name, and virtual machines may
 * be copies of each other, but on Linux no two of them share both the boot id and the namespace of process numbers.
 */
const PROCESS_SPACE = process.platform === "linux" ? linuxProcessSpace() : process.platform;

function linuxProcessSpace(): string {
  try {
    const start = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
    const namespace = readlinkSync("/proc/self/ns/pid");
    return createHash("sha256").update(start).update(namespace).digest("hex").slice(0, 8);
  } catch {
    return randomBytes(4).toString("hex"); // unknown: a random space, so that no other process is taken for dead
  }
}
