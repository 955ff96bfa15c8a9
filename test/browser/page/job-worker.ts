// Runs a job in a worker of the page.
import { type Job, trainAndAttack } from "./job.ts";

addEventListener("message", async ({ data }: MessageEvent<Job>) => {
  try {
    postMessage({ result: await trainAndAttack(data) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
});
