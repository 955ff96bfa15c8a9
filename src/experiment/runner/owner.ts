import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { RunStore } from "../store/store.ts";

/** A name for this process that no other has: machine, process and a random part. */
export function newOwner(): string {
  return `${hostname()}:${process.pid}:${randomBytes(4).toString("hex")}`;
}

/** Releases the runs of processes of this machine that are gone, without waiting for their leases to end. */
export async function releaseDead(store: RunStore): Promise<void> {
  for (const { owner } of await store.owners()) if (isDead(owner)) await store.release(owner);
}

function isDead(owner: string): boolean {
  const [host, pid] = owner.split(":");
  if (host !== hostname()) return false; // not ours to judge: its lease will end
  try {
    process.kill(Number(pid), 0); // signal 0 only asks whether it is there
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
