import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Dashboard, startDashboard } from "../../test/support/dashboard.ts";
import { EventClient } from "../../test/support/event-client.ts";
import { rawRequest } from "../../test/support/raw-request.ts";
import { sharedFolder } from "../../test/support/temporary-folder.ts";
import { isAllowedHost } from "./guard/allowed-hosts.ts";
import { isSameToken, newToken } from "./guard/token.ts";
import { startServer } from "./start-server.ts";

describe("who may ask", () => {
  const folder = sharedFolder();
  let dashboard: Dashboard;
  beforeAll(async () => {
    const web = join(folder, "web");
    mkdirSync(join(web, "assets"), { recursive: true });
    writeFileSync(join(web, "index.html"), "<title>rgnn</title>");
    writeFileSync(join(web, "assets", "index-Ab3_x9Zq.js"), "export {}");
    writeFileSync(join(web, "assets", "kernels-Ab3_x9Zq.wasm"), "wasm");
    writeFileSync(join(folder, "secret.txt"), "secret");
    mkdirSync(join(folder, "outside"));
    writeFileSync(join(folder, "outside", "inner.txt"), "secret");
    symlinkSync(join(folder, "secret.txt"), join(web, "link.txt"));
    symlinkSync(join(folder, "outside"), join(web, "linked"));
    symlinkSync(join(folder, "nowhere"), join(web, "broken.txt"));
    dashboard = await startDashboard(folder);
  });
  afterAll(() => dashboard.close());

  test("serves pages with their types, deep links, and caches what has a hash in its name", async () => {
    const page = await dashboard.get("/");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const etag = page.headers.get("etag")!;
    const again = await dashboard.get("/", { "if-none-match": etag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect(await (await dashboard.get("/studies/first/runs")).text()).toBe("<title>rgnn</title>");
    const script = await dashboard.get("/assets/index-Ab3_x9Zq.js");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const kernels = await dashboard.get("/assets/kernels-Ab3_x9Zq.wasm");
    expect(kernels.headers.get("content-type")).toBe("application/wasm");
    expect((await dashboard.get("/assets/none.js")).status).toBe(404);
  });

  test("isolates pages, and lets them run scripts of ours alone", async () => {
    for (const path of ["/", "/api/studies", "/none.js"]) {
      const { headers } = await dashboard.get(path);
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-embedder-policy")).toBe("require-corp");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      const policy = headers.get("content-security-policy")!;
      expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/'unsafe-(inline|eval)'/);
    }
  });

  test.each([
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/assets/../../secret.txt",
    "/assets/..%5c..%5csecret.txt",
    "/..\\secret.txt",
    "//secret.txt",
    "/%00",
    "/%c0%ae%c0%ae/secret.txt",
    "/link.txt",
    "/linked/inner.txt",
    "/broken.txt",
    "/%E0%A4%A.txt",
    "/etc/passwd",
  ])("serves no file outside of its folder: %s", async (path) => {
    const answer = await rawRequest(
      dashboard.server.port,
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (400|404|200)/);
    expect(answer).not.toContain("secret\n");
    expect(answer).not.toMatch(/\r\n\r\nsecret|root:/);
    if (answer.startsWith("HTTP/1.1 200")) expect(answer).toContain("<title>rgnn</title>"); // a view of that name
  });

  test.each([
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "",
    "127.0.0.1@evil",
  ])("refuses a foreign Host: %j", async (host) => {
    const answer = await rawRequest(
      dashboard.server.port,
      `GET /api/studies HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 40[03]/);
  });

  test("refuses an absolute address of another machine", async () => {
    const answer = await rawRequest(
      dashboard.server.port,
      "GET http://evil.example/api/studies HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403/);
  });

  test("refuses pages of other sites, whatever they ask", async () => {
    const foreign = { origin: "http://evil.example" };
    expect((await dashboard.get("/api/studies", foreign)).status).toBe(403);
    expect((await dashboard.get("/", foreign)).status).toBe(403);
    expect((await dashboard.post("/api/studies/x/start", "{}", foreign)).status).toBe(403);
    expect((await dashboard.post("/api/studies/x/start", "{}", { origin: "null" })).status).toBe(403);
    const otherPort = `http://127.0.0.1:${dashboard.server.port + 1}`;
    expect((await dashboard.post("/api/studies/x/start", "{}", { origin: otherPort })).status).toBe(403);
    await expect(EventClient.open(dashboard.url, undefined, foreign)).rejects.toThrow("403");
    const port = dashboard.server.port;
    const crossSite = (line: string, path: string) =>
      rawRequest(port, `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n${line}\r\n\r\n`);
    expect(await crossSite("Sec-Fetch-Site: cross-site", "/api/studies")).toMatch(/^HTTP\/1\.1 403/);
    expect(await crossSite("Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: navigate", "/api/report")).toMatch(
      /^HTTP\/1\.1 403/,
    );
    expect(await crossSite("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate", "/")).toMatch(/^HTTP\/1\.1 200/); // a link
    expect((await dashboard.get("/api/studies", { origin: dashboard.url })).status).toBe(200);
  });

  test("needs no token on this machine alone", () => {
    expect(dashboard.server.token).toBeNull();
    expect(dashboard.server.url).toBe(`${dashboard.url}/`);
  });
});

describe("a server for other machines", () => {
  const folder = sharedFolder();
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await startDashboard(folder, { host: "0.0.0.0" });
  });
  afterAll(() => dashboard.close());

  test("answers nobody without its token", async () => {
    for (const path of ["/", "/api/studies", "/api/events", "/assets/x.js", "/api/report", "/none"]) {
      expect([path, (await dashboard.get(path)).status]).toEqual([path, 401]);
    }
    expect((await dashboard.post("/api/studies/x/start", "{}")).status).toBe(401);
    expect((await dashboard.post("/api/lab/train", "{}")).status).toBe(401);
    const wrong = "x".repeat(43);
    expect((await dashboard.get(`/?token=${wrong}`)).status).toBe(401);
    expect((await dashboard.get("/api/studies", { authorization: `Bearer ${wrong}` })).status).toBe(401);
    expect((await dashboard.get("/api/studies", { cookie: `rgnn-${dashboard.server.port}=${wrong}` })).status).toBe(
      401,
    );
  });

  test("makes a cookie of the token in its address, and takes it from the address", async () => {
    const { url, token, port } = dashboard.server;
    expect(token!.length).toBeGreaterThanOrEqual(43);
    expect(url).toMatch(new RegExp(`^http://[\\d.]+:${port}/\\?token=${token}$`));
    const response = await dashboard.get(`/studies/a?token=${token}&view=1`);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/studies/a?view=1"]);
    const cookie = response.headers.get("set-cookie")!;
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Strict/);
    const shown = cookie.split(";")[0];
    expect((await dashboard.get("/api/studies", { cookie: shown })).status).toBe(200);
    const client = await EventClient.open(dashboard.url, undefined, { cookie: shown });
    client.close();
    expect((await dashboard.get("/api/studies", { authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await dashboard.get(`//evil.example/?token=${token}`)).headers.get("location")).toBe("/evil.example/");
  });

  test("knows itself by address and by its own names, and by no other", () => {
    expect(isAllowedHost("192.168.0.7:8000", "0.0.0.0")).toBe(true);
    expect(isAllowedHost("[fe80::1]:8000", "::")).toBe(true);
    expect(isAllowedHost("lab.example:8000", "lab.example")).toBe(true);
    expect(isAllowedHost("evil.example:8000", "0.0.0.0")).toBe(false);
    expect(isAllowedHost("192.168.0.7:8000", "127.0.0.1")).toBe(false);
    expect(isAllowedHost("localhost:8000", "127.0.0.1")).toBe(true);
    expect(isAllowedHost(undefined, "127.0.0.1")).toBe(false);
  });

  test("compares tokens as a whole, and takes one of the user's choice unless it is short", () => {
    expect(isSameToken("abc", "abc")).toBe(true);
    expect(isSameToken("abc", "abcd")).toBe(false);
    expect(newToken("a-token-of-my-own")).toBe("a-token-of-my-own");
    expect(() => newToken("short")).toThrow("RGNN_TOKEN must be 16 or more");
    expect(newToken(undefined)).not.toBe(newToken(undefined));
  });
});

describe("where a server listens", () => {
  const folder = sharedFolder();
  const options = { place: join(folder, "store.sqlite"), artefacts: folder, web: folder, log: () => {} };

  test("a port that is taken is an error, or the next one is tried", async () => {
    const first = await startServer({ ...options, ports: [0] });
    await expect(startServer({ ...options, ports: [first.port] })).rejects.toThrow(`port ${first.port} is taken`);
    const second = await startServer({ ...options, ports: [first.port, 0] });
    expect(second.port).not.toBe(first.port);
    await expect(startServer({ ...options, host: "203.0.113.7", ports: [0] })).rejects.toThrow("cannot listen at");
    await first.close();
    await second.close();
  });

  test("the password of a store is in no answer and no message", async () => {
    const wrong = startServer({ ...options, place: "postgres://me:secret@127.0.0.1:1/none", ports: [0] });
    await expect(wrong).rejects.toThrow("postgres://me@127.0.0.1:1/none: cannot be reached");
  });
});
