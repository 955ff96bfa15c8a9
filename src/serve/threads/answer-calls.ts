import type { MessagePort } from "node:worker_threads";
import type { Progress } from "../../core/progress.ts";
import { packError } from "../../experiment/node-workers/thread-error.ts";
import type { FromThread, ToThread } from "./thread-messages.ts";

/** How a call is watched from inside its thread. */
export interface CallWatch {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Milliseconds between two progress messages of a call. */
const TELL_MS = 50;

/** Answers the calls that a thread receives; several may run at once. */
export function answerCalls(
  port: MessagePort,
  answer: (name: string, args: readonly unknown[], watch: CallWatch) => Promise<unknown>,
): void {
  const say = (message: FromThread) => port.postMessage(message);
  const running = new Map<number, AbortController>();
  port.on("message", async (message: ToThread) => {
    const { id } = message;
    if (message.kind === "cancel") return running.get(id)?.abort();
    const stop = new AbortController();
    running.set(id, stop);
    try {
      const progress = tellingNowAndThen((done, total, note) =>
        say({ kind: "progress", id, progress: { done, total, note } }),
      );
      const result = await answer(message.name, message.args, { progress, signal: stop.signal });
      say({ kind: "result", id, result });
    } catch (error) {
      say({ kind: "error", id, error: packError(error) });
    } finally {
      running.delete(id);
    }
  });
}

function tellingNowAndThen(tell: (done: number, total: number, note: string) => void): Progress {
  let last = Number.NEGATIVE_INFINITY;
  return {
    update(done, total, note = "") {
      const now = performance.now();
      if (now - last < TELL_MS) return;
      last = now;
      tell(done, total, note);
    },
  };
}
