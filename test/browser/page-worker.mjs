// Runs a job in a worker of the page, where waiting for other threads is allowed.
import { trainAndAttack } from "./job.mjs";

addEventListener("message", async ({ data }) => {
  try {
    postMessage({ result: await trainAndAttack(data) });
  } catch (error) {
    postMessage({ error: String(error?.stack ?? error) });
  }
});
