import type { LabCall, LabRequest, LabResult } from "rgnn/lab";
import { type CallOptions, Cancelled, type LabConnection } from "./connection.ts";
import type { FromLab, ToLab } from "./messages.ts";

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
  readonly progress: CallOptions["progress"];
}

/** A lab in a worker of this page: nothing leaves the machine. */
export function labInWorker(worker: Worker): LabConnection {
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  const say = (message: ToLab) => worker.postMessage(message);

  worker.addEventListener("message", ({ data }: MessageEvent<FromLab>) => {
    const call = waiting.get(data.id);
    if (!call) return;
    if ("progress" in data) {
      call.progress?.(data.progress);
      return;
    }
    waiting.delete(data.id);
    if ("result" in data) call.resolve(data.result as never);
    else call.reject(data.cancelled ? new Cancelled() : new Error(data.error));
  });
  worker.addEventListener("error", ({ message }) => {
    const failure = new Error(`The engine of this page did not start: ${message}`);
    for (const call of waiting.values()) call.reject(failure);
    waiting.clear();
  });

  return {
    call<Name extends LabCall>(name: Name, request: LabRequest<Name>, { progress, signal }: CallOptions = {}) {
      const id = ++calls;
      return new Promise<LabResult<Name>>((resolve, reject) => {
        waiting.set(id, { resolve, reject, progress });
        signal?.addEventListener("abort", () => say({ id, cancel: true }));
        say({ id, name, request });
      });
    },
  };
}
