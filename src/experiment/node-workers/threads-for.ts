import type { Session } from "../session.ts";

/** Fewest nodes for which threads pay: each thread reads the program, the graph and the models anew. */
const PAYS_FROM = 10;

/**
 * Threads that should attack this many nodes side by side: at most those of the session, and no more than fit into
 * memory.
 */
export function threadsFor({ threads }: Pick<Session, "threads">, numNodes: number): number {
  if (numNodes < PAYS_FROM) return 1;
  const bytesEach = process.memoryUsage().rss; // a thread takes about as much memory as this process
  const fit = Math.floor(process.availableMemory() / bytesEach);
  return Math.max(1, Math.min(threads, Math.ceil(numNodes / 2), fit));
}
