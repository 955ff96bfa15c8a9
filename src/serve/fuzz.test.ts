import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Dashboard, finishNext, runsOf, startDashboard } from "../../test/support/dashboard.ts";
import { rawRequest } from "../../test/support/raw-request.ts";
import { sharedFolder } from "../../test/support/temporary-folder.ts";
import { Rng } from "../core/rng.ts";

const METHODS = [
  "GET",
  "POST",
  "HEAD",
  "PUT",
  "DELETE",
  "OPTIONS",
  "PATCH",
  "TRACE",
  "CONNECT",
  "get",
  "QUERY",
  "\x00",
  "G ET",
  "",
];
const PATHS = [
  "/",
  "/api/studies",
  "/api/studies/first",
  "/api/studies/first/start",
  "/api/studies/%00",
  "/api/studies/%ff",
  "/api/runs",
  "/api/runs?limit=1e9",
  "/api/runs?limit=-1",
  "/api/runs?after=99999999999999999999",
  "/api/runs?seed=0x10&epsilon=NaN",
  "/api/runs?sort=-value&sort=x",
  "/api/runs?study[]=a&__proto__=b&constructor=c",
  "/api/runs/'; DROP TABLE runs; --",
  "/api/runs/%27%20OR%201=1",
  "/api/results?by=model&by=model",
  "/api/results?by=epsilon&model=%F0%9F%92%A9",
  "/api/compare?first=gcn&second=gcn",
  "/api/values?state=done",
  "/api/workers",
  "/api/report?study=first",
  "/api/lab/graph",
  "/api/lab/count",
  "/api/lab/__proto__",
  "/../../etc/passwd",
  "/%2e%2e/%2e%2e/etc/passwd",
  "/assets/%",
  "//evil.example/",
  "http://evil.example/api/studies",
  "*",
  "/\\..\\x",
  `/${"a".repeat(5000)}`,
  `/api/runs?${"model=x&".repeat(600)}`,
  "/api/server?\r\nX: y",
];
const HEADERS = [
  "Content-Type: application/json",
  "Content-Type: application/yaml",
  "Content-Type: multipart/form-data; boundary=x",
  "Content-Type: multipart/form-data; boundary=\u00ff",
  "Content-Type: ;;;",
  "X-Rgnn-Lab: aaaaaaaaaaaaaaaa",
  "X-Rgnn-Lab: ../../../etc",
  "Last-Event-ID: \u00ff\u00fe",
  'If-None-Match: "x", *',
  "Origin: null",
  "Origin: http://evil.example",
  "Sec-Fetch-Site: cross-site",
  "Cookie: rgnn-1=%; ;;=;",
  "Authorization: Bearer",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Content-Length: -5",
  "Content-Length: 99999999999",
  "Expect: 100-continue",
  "Upgrade: websocket\r\nConnection: Upgrade",
  "Host: twice.example",
  "Range: bytes=0-,-1",
  `X-Long: ${"y".repeat(20_000)}`,
  "no colon at all",
  ": no name",
];
const BODIES = [
  "",
  "{}",
  "{",
  "null",
  "name: x",
  "name: &a [*a]\ndatasets: *a",
  "name: x\ndatasets: /etc/passwd\nmodels: gcn\nseeds: 0",
  `${"[".repeat(5000)}`,
  '--x\r\nContent-Disposition: form-data; name="files"; filename="../../a"\r\n\r\nabc\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="files\r\n',
  "5\r\nhello\r\n0\r\n\r\n",
  "zz\r\nhello",
  "\u0000\u00ff\u00fe".repeat(100),
];

describe("ten thousand requests that are wrong", { timeout: 300_000 }, () => {
  const folder = sharedFolder();
  let dashboard: Dashboard;
  beforeAll(async () => {
    const module = new URL("../../test/support/fake-lab.ts", import.meta.url);
    dashboard = await startDashboard(folder, { lab: { module }, report: async () => "<p>report</p>" });
    await dashboard.store.addRuns("first", runsOf(20));
    await finishNext(dashboard.store);
  });
  afterAll(() => dashboard.close());

  test("neither end the server nor make errors of ours without a line in the log", async () => {
    const rng = new Rng(21, 0);
    const pick = <T>(from: readonly T[]) => from[Math.floor(rng.uniform() * from.length)];
    const random = (length: number) =>
      Array.from({ length }, () => String.fromCharCode(Math.floor(rng.uniform() * 256))).join("");
    const statuses = new Map<string, number>();
    const one = async () => {
      const answer = await rawRequest(dashboard.server.port, Buffer.from(malformed(), "latin1"), 300);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? (answer === "" ? "none" : "other");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect(answer).not.toMatch(/root:x|at .*\.ts:\d+/); // neither files nor stacks
    };
    const malformed = (): string => {
      const kind = rng.uniform();
      if (kind < 0.1) return random(1 + Math.floor(rng.uniform() * 300));
      const headers = Array.from({ length: Math.floor(rng.uniform() * 4) }, () => pick(HEADERS));
      const body = pick(BODIES);
      const length = rng.uniform() < 0.5 ? [`Content-Length: ${body.length}`] : [];
      const host = rng.uniform() < 0.8 ? ["Host: 127.0.0.1"] : [`Host: ${random(5)}`];
      const lines = [
        `${pick(METHODS)} ${pick(PATHS)} HTTP/1.1`,
        ...host,
        "Connection: close",
        ...length,
        ...headers,
        "",
        body,
      ];
      const text = lines.join("\r\n");
      if (kind < 0.2) return text.slice(0, Math.floor(rng.uniform() * text.length)); // cut off
      if (kind < 0.4) return mutated(text);
      return text;
    };
    const mutated = (text: string): string => {
      const at = Math.floor(rng.uniform() * text.length);
      return text.slice(0, at) + random(1 + Math.floor(rng.uniform() * 4)) + text.slice(at + 1);
    };
    for (let sent = 0; sent < 10_000; sent += 500) await Promise.all(Array.from({ length: 500 }, one));

    const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBe(10_000);
    expect(Number(statuses.get("400") ?? 0)).toBeGreaterThan(1000); // they did reach the server
    expect(Number(statuses.get("200") ?? 0)).toBeGreaterThan(10); // not all were so wrong
    const errors = [...statuses]
      .filter(([status]) => status.startsWith("5"))
      .reduce((sum, [, count]) => sum + count, 0);
    const told = dashboard.lines.filter((line) => /^5\d\d /.test(line)).length;
    expect(told).toBeGreaterThanOrEqual(errors); // some clients have left before they were answered
    expect([errors, dashboard.lines]).toEqual([0, []]); // and in fact there are none
    expect((await dashboard.get("/api/studies")).status).toBe(200);
  });
});

describe("an error of ours", () => {
  test("is told in the log with what was asked, and not to the client", async () => {
    const dashboard = await startDashboard(sharedFolder2, {
      report: async () => {
        throw new Error("secret of the report");
      },
    });
    const response = await dashboard.get("/api/report");
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining("secret")]);
    expect(dashboard.lines).toEqual([expect.stringMatching(/^500 GET \/api\/report: Error: secret of the report\n/)]);
    await dashboard.close();
  });
  const sharedFolder2 = sharedFolder();
});
