import type { Session } from "../session.ts";

/** Nodes from which on it pays to start threads: each reads the program, the graph and the models anew. */
const PAYS_FROM = 10;

/** Threads that should attack this many nodes side by side: those of the session, as far as memory lasts. */
export function threadsFor({ threads }: Pick<Session, "threads">, numNodes: number): number {
  if (numNodes < PAYS_FROM) return 1;
  const bytesEach = process.memoryUsage().rss; // a thread holds what this process holds
  const fit = Math.floor(process.availableMemory() / bytesEach);
  return Math.max(1, Math.min(threads, Math.ceil(numNodes / 2), fit));
}
