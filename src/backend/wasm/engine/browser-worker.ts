// Where a thread of the pool starts in a browser: its setup comes as the first message.
import { serve, type WorkerSetup } from "./serve.ts";

addEventListener("message", ({ data }: MessageEvent<WorkerSetup>) => serve(data, () => postMessage("ready")), {
  once: true,
});
