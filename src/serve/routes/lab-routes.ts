import { type Context, Hono, type MiddlewareHandler } from "hono";
import { stream } from "hono/streaming";
import { check, Interrupted, UserError } from "../../core/errors.ts";
import type { Json } from "../../core/options/index.ts";
import { Alarm } from "../events/alarm.ts";
import type { LabRequest, UploadedFile } from "../lab/engine.ts";
import { LabBusy, type LabHost } from "../lab/lab-host.ts";
import type { LabLine, LabProgress } from "../protocol.ts";
import type { ServerParts } from "../server-parts.ts";
import { limitBody } from "./limit-body.ts";
import { problem } from "./problem.ts";

/** Largest request without files, in bytes. */
const LARGEST_REQUEST = 16_000_000;

/** Most uploads at the same time: each is held in memory as a whole. */
const MOST_UPLOADS = 2;

/** `POST /lab/:call` */
export function labRoutes(parts: ServerParts): Hono {
  const { lab, uploadLimit } = parts;
  const routes = new Hono();
  if (!lab) return routes.all("*", (c) => problem(c, 404, "this server has no interactive engine"));
  let uploads = 0;

  routes.post("/close", async (c) => {
    await lab.close(tabOf(c));
    return c.body(null, 204);
  });

  const oneOfFew: MiddlewareHandler = async (c, next) => {
    if (uploads >= MOST_UPLOADS) return problem(c, 429, "other graphs are being uploaded; try again in a while");
    uploads++;
    try {
      return await next();
    } finally {
      uploads--;
    }
  };
  routes.post("/graph", oneOfFew, limitBody(uploadLimit), async (c) => {
    const tab = tabOf(c);
    if (!/^multipart\/form-data\b/i.test(c.req.header("content-type") ?? "")) {
      return problem(c, 415, "a graph is posted as multipart/form-data, with files in the field files");
    }
    const { request, files } = await readForm(c);
    const transfer = files.map(({ bytes }) => bytes.buffer as ArrayBuffer);
    return answer(c, parts, lab, { tab, name: "graph", request: { ...request, files }, transfer });
  });

  routes.post("/:call", limitBody(LARGEST_REQUEST), async (c) => {
    const tab = tabOf(c);
    if (!/^application\/json\b/i.test(c.req.header("content-type") ?? "")) {
      return problem(c, 415, "requests are posted as application/json");
    }
    const request = parseJson(await c.req.text());
    return answer(c, parts, lab, { tab, name: c.req.param("call"), request, transfer: [] });
  });
  return routes;
}

/** The id of the tab that a request comes from. */
function tabOf(c: Context): string {
  const tab = c.req.header("x-rgnn-lab") ?? "";
  check(/^[A-Za-z0-9]{16,64}$/.test(tab), () => "the header X-Rgnn-Lab must have 16 to 64 letters and digits");
  return tab;
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new UserError("the body is no JSON");
  }
}

/** The files of a form, and the JSON in its field `request`. */
async function readForm(c: Context): Promise<{ request: Record<string, Json>; files: UploadedFile[] }> {
  const form = await c.req.raw.formData().catch(() => {
    throw new UserError("the form cannot be read");
  });
  const given = form.get("request");
  const request = typeof given === "string" ? parseJson(given) : {};
  const isObject = typeof request === "object" && request !== null && !Array.isArray(request);
  check(isObject, () => "the field request must be a JSON object");
  const files: UploadedFile[] = [];
  for (const entry of form.getAll("files")) {
    check(typeof entry !== "string", () => "the field files must hold files");
    files.push({ name: entry.name, bytes: new Uint8Array(await entry.arrayBuffer()) });
  }
  check(files.length > 0, () => "there are no files; put them into the field files");
  return { request: request as Record<string, Json>, files };
}

interface LabCall {
  readonly tab: string;
  readonly name: string;
  readonly request: LabRequest;
  readonly transfer: readonly ArrayBuffer[];
}

/** Calls the engine of a tab and streams its lines. A slow client gets only the latest progress. */
function answer(c: Context, parts: ServerParts, lab: LabHost, { tab, name, request, transfer }: LabCall): Response {
  const stop = new AbortController();
  const alarm = new Alarm();
  let progress: LabProgress | null = null;
  let last: string | null = null;
  const watch = {
    signal: stop.signal,
    transfer,
    progress(latest: LabProgress) {
      progress = latest;
      alarm.wake();
    },
  };
  const ended = (line: string) => {
    last = line;
    alarm.wake();
  };
  lab.call(tab, name, request, watch).then(
    (result) => ended(`{"result":${result}}`),
    (error: unknown) => {
      const { line, isOurs } = lineOf(error, stop.signal.aborted);
      if (isOurs) parts.log(`lab ${name}: failed`, error);
      ended(JSON.stringify(line));
    },
  );
  c.header("content-type", "application/x-ndjson");
  c.header("cache-control", "no-store");
  return stream(c, async (out) => {
    out.onAbort(() => {
      stop.abort();
      alarm.wake();
    });
    while (last === null && !out.aborted) {
      await alarm.sleep(SILENCE_MS);
      if (progress && last === null) {
        const line: LabLine = { progress };
        progress = null;
        await out.writeln(JSON.stringify(line));
      }
    }
    if (last !== null) await out.writeln(last);
  });
}

/** The loop of an answer wakes up this often even if nothing happens. */
const SILENCE_MS = 60_000;

/** The last line of a call that failed. The message of an error of ours goes to the log only. */
function lineOf(error: unknown, isCancelled: boolean): { line: LabLine; isOurs: boolean } {
  const { message } = error as Error;
  if (isCancelled || error instanceof Interrupted)
    return { line: { error: "cancelled", kind: "cancelled" }, isOurs: false };
  if (error instanceof UserError) return { line: { error: message, kind: "mistake" }, isOurs: false };
  if (error instanceof LabBusy) return { line: { error: message, kind: "busy" }, isOurs: false };
  return { line: { error: "the engine has failed; the log of the server says why", kind: "failure" }, isOurs: true };
}
