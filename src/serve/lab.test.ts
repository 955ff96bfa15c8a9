import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Dashboard, startDashboard } from "../../test/support/dashboard.ts";
import { sharedFolder } from "../../test/support/temporary-folder.ts";
import type { LabLine } from "./protocol.ts";

const module = new URL("../../test/support/fake-lab.ts", import.meta.url);
const tab = (name: string) => name.padEnd(16, "0");

async function linesOf(response: Response): Promise<LabLine[]> {
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  const text = await response.text();
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as LabLine);
}

describe("an interactive engine", () => {
  const folder = sharedFolder();
  let dashboard: Dashboard;
  beforeAll(async () => {
    const limits = { mostEngines: 2, givesWayMs: 200, graceMs: 300, idleMs: 60_000, mostCalls: 2 };
    dashboard = await startDashboard(folder, { lab: { module, ...limits }, uploadLimit: 100_000 });
  });
  afterAll(() => dashboard.close());
  afterEach(async () => {
    for (const name of ["a", "b", "c"]) await call("close", name);
  });

  const call = (name: string, from: string, body = "{}", headers = {}) =>
    dashboard.post(`/api/lab/${name}`, body, { "x-rgnn-lab": tab(from), ...headers });
  async function lastLine(name: string, from: string, body?: string): Promise<LabLine> {
    const response = await call(name, from, body);
    expect(response.status).toBe(200);
    return (await linesOf(response)).at(-1)!;
  }
  function upload(files: Record<string, string>, request?: string) {
    const form = new FormData();
    for (const [name, text] of Object.entries(files)) form.append("files", new Blob([text]), name);
    if (request !== undefined) form.append("request", request);
    return fetch(`${dashboard.url}/api/lab/graph`, {
      method: "POST",
      body: form,
      headers: { "x-rgnn-lab": tab("a") },
    });
  }

  test("answers with lines of progress and a result", async () => {
    const lines = await linesOf(await call("steps", "a"));
    expect(lines.at(-1)).toEqual({ result: "done" });
    expect(lines.slice(0, -1)).toEqual(
      [1, 2, 3].map((done) => ({ progress: { done, total: 3, note: `step ${done}` } })),
    );
  });

  test("remembers a tab between calls, and each tab by itself", async () => {
    expect(await lastLine("count", "a", '{"x":[1,null]}')).toEqual({ result: { calls: 1, request: { x: [1, null] } } });
    expect(await lastLine("count", "a")).toMatchObject({ result: { calls: 2 } });
    expect(await lastLine("count", "b")).toMatchObject({ result: { calls: 1 } });
    expect((await call("close", "a")).status).toBe(204);
    expect(await lastLine("count", "a")).toMatchObject({ result: { calls: 1 } });
  });

  test("tells the user's mistakes, and its own only in the log", async () => {
    expect(await lastLine("mistake", "a")).toEqual({ error: "no such node: 17", kind: "mistake" });
    expect(await lastLine("nothing", "a")).toEqual({ error: 'unknown call "nothing"', kind: "mistake" });
    dashboard.lines.length = 0;
    const failed = await lastLine("crash", "a");
    expect(failed).toMatchObject({ kind: "failure" });
    expect(JSON.stringify(failed)).not.toContain("secret");
    expect(dashboard.lines.join()).toContain("secret of the engine");
    expect(await lastLine("exit", "a")).toMatchObject({ kind: "failure" });
    expect(await lastLine("count", "a")).toMatchObject({ result: { calls: 1 } }); // a new one
  });

  test("is not disturbed by a call that computes without a pause: the server answers, and the next tab works", async () => {
    const stop = new AbortController();
    const hanging = fetch(`${dashboard.url}/api/lab/hang`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json", "x-rgnn-lab": tab("a") },
      signal: stop.signal,
    }).then((response) => response.text());
    expect(await lastLine("count", "b")).toMatchObject({ result: { calls: 1 } });
    stop.abort();
    await expect(hanging).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 600)); // longer than it may go on after it was cancelled
    expect(await lastLine("count", "a")).toMatchObject({ result: { calls: 1 } });
  });

  test("stops when the client goes away, and keeps what it knows", async () => {
    await lastLine("count", "a");
    const stop = new AbortController();
    const response = await fetch(`${dashboard.url}/api/lab/slow`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json", "x-rgnn-lab": tab("a") },
      signal: stop.signal,
    });
    const reader = response.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain("progress");
    stop.abort();
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await lastLine("count", "a")).toMatchObject({ result: { calls: 3 } }); // neither killed nor still at it
    expect(await Promise.all([1, 2].map(() => lastLine("steps", "a")))).toEqual([
      { result: "done" },
      { result: "done" },
    ]);
  });

  test("makes room for a new tab when another is idle, and says so when none is", async () => {
    const busy = ["a", "b"].map((name) => linesOf2(call("steps", name)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await lastLine("count", "c")).toMatchObject({ kind: "busy" });
    await Promise.all(busy);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await lastLine("count", "c")).toMatchObject({ result: { calls: 1 } });
    const many = await Promise.all([1, 2, 3].map(() => lastLine("steps", "c")));
    expect(many.filter((line) => "kind" in line && line.kind === "busy")).toHaveLength(1);
  });

  test("reads uploads, and refuses those that are too large or no form", async () => {
    const lines = await linesOf(await upload({ "edges.csv": "0,1\n", "x/labels.csv": "" }, '{"directed":true}'));
    expect(lines).toEqual([
      {
        result: {
          directed: true,
          files: [
            ["edges.csv", 4, 48],
            ["x/labels.csv", 0, null],
          ],
        },
      },
    ]);
    expect((await upload({ "edges.csv": "x".repeat(100_001) })).status).toBe(413);
    expect((await upload({})).status).toBe(400);
    expect((await upload({ "edges.csv": "" }, "[1]")).status).toBe(400);
    expect((await upload({ "edges.csv": "" }, "{")).status).toBe(400);
    const type = (value: string) => call("graph", "a", "no form", { "content-type": value });
    expect((await type("application/json")).status).toBe(415);
    expect((await type("multipart/form-data; boundary=x")).status).toBe(400);
    expect((await type("multipart/form-data")).status).toBe(400);
  });

  test("reads a body whose length is not told", async () => {
    const body = new Blob(['{"x":1}']).stream();
    const headers = { "x-rgnn-lab": tab("a"), "content-type": "application/json" };
    const init = { method: "POST", body, headers, duplex: "half" } as RequestInit;
    const response = await fetch(`${dashboard.url}/api/lab/count`, init);
    expect(await linesOf(response)).toEqual([{ result: { calls: 1, request: { x: 1 } } }]);
  });

  test("refuses a huge upload whose length is not told, without reading it to its end", async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 10_000;
        if (sent > 1e9) controller.close();
        else controller.enqueue(new Uint8Array(10_000));
      },
    });
    const headers = { "x-rgnn-lab": tab("a"), "content-type": "multipart/form-data; boundary=x" };
    const init = { method: "POST", body, headers, duplex: "half" } as RequestInit;
    const status = await fetch(`${dashboard.url}/api/lab/graph`, init).then(
      (response) => response.status,
      () => "closed",
    );
    expect([413, "closed"]).toContain(status);
    expect(sent).toBeLessThan(1e8);
  });

  test("wants to know the tab, and JSON", async () => {
    expect((await dashboard.post("/api/lab/count", "{}")).status).toBe(400);
    expect((await dashboard.post("/api/lab/count", "{}", { "x-rgnn-lab": "short" })).status).toBe(400);
    expect((await call("count", "a", "{")).status).toBe(400);
    expect((await call("count", "a", "{}", { "content-type": "text/plain" })).status).toBe(415);
  });

  const linesOf2 = async (response: Promise<Response>) => linesOf(await response);
});

describe("an engine that nobody uses", () => {
  const folder = sharedFolder();
  test("is closed after a while", async () => {
    const dashboard = await startDashboard(folder, { lab: { module, idleMs: 100 } });
    const count = async () => {
      const response = await dashboard.post("/api/lab/count", "{}", { "x-rgnn-lab": tab("a") });
      return (await linesOf(response))[0];
    };
    expect(await count()).toMatchObject({ result: { calls: 1 } });
    expect(await count()).toMatchObject({ result: { calls: 2 } });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await count()).toMatchObject({ result: { calls: 1 } });
    await dashboard.close();
  });
});
