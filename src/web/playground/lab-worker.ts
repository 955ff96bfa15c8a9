// The engine of the playground: a lab in a worker, so that the page stays responsive.
import { createWasm, openRealGpu } from "rgnn/backend";
import { Lab } from "rgnn/lab";
import type { FromLab, ToLab } from "../lab/messages.ts";

/** Milliseconds between two messages about progress. */
const BETWEEN = 50;

const say = (message: FromLab) => postMessage(message);
const signals = new Map<number, { aborted: boolean }>();
const starting = start();

async function start(): Promise<Lab> {
  const threads = crossOriginIsolated ? navigator.hardwareConcurrency : 1;
  const device = `this page, ${threads} ${threads === 1 ? "thread" : "threads"}`;
  const openGpu = async () => (await openRealGpu()).backend;
  return new Lab(await createWasm({ threads }), { device, openGpu });
}

addEventListener("message", async ({ data }: MessageEvent<ToLab>) => {
  const { id } = data;
  if ("cancel" in data) {
    const signal = signals.get(id);
    if (signal) signal.aborted = true;
    return;
  }
  const signal = { aborted: false };
  signals.set(id, signal);
  let last = 0;
  const progress = {
    update(done: number, total: number, note = ""): void {
      const now = performance.now();
      if (now - last < BETWEEN) return;
      last = now;
      say({ id, progress: { done, total, note } });
    },
  };
  try {
    const lab = await starting;
    say({ id, result: await lab.call(data.name as string, data.request, { progress, signal }) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    say({ id, error: message, cancelled: error instanceof Error && error.name === "Interrupted" });
  } finally {
    signals.delete(id);
  }
});
