import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cellOf, instantOutcome, outcomeOf, plannedRun } from "../../test/support/any-runs.ts";
import { type Dashboard, finishNext, runsOf, startDashboard } from "../../test/support/dashboard.ts";
import { sharedFolder } from "../../test/support/temporary-folder.ts";
import type {
  Comparison,
  Problem,
  Results,
  RunDetails,
  RunPage,
  RunValues,
  ServerFacts,
  StudyDetails,
  StudySummary,
  Workers,
} from "./protocol.ts";

describe("what a server says of its store", () => {
  const folder = sharedFolder();
  let dashboard: Dashboard;
  const runs = runsOf(20);
  const other = [0, 1].map((seed) => plannedRun(cellOf({ model: "sgc", epsilon: 0.01 }), seed));

  beforeAll(async () => {
    dashboard = await startDashboard(folder, {
      report: async (_, study) => `<title>${study ?? "everything"}</title>`,
    });
    const { store } = dashboard;
    await store.addRuns("first", runs);
    for (let k = 0; k < 12; k++) await finishNext(store);
    const [taken] = (await store.take({ owner: "here:1:x", leaseMs: 60_000 }))!;
    await store.fail(taken.id, "here:1:x", "<b>device lost</b>", false);
    await store.take({ owner: "here:1:x", leaseMs: 60_000 });
    await store.addRuns("second", other);
    for (let k = 0; k < 2; k++) {
      const [run] = (await store.take({ owner: "me", leaseMs: 60_000, study: "second" }))!;
      await store.finish(run.id, "me", outcomeOf(0.9 + k / 100));
    }
  });
  afterAll(() => dashboard.close());

  async function json<T>(path: string): Promise<T> {
    const response = await dashboard.get(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get("content-type")).toContain("application/json");
    return (await response.json()) as T;
  }
  async function refused(path: string, status: number): Promise<Problem> {
    const response = await dashboard.get(path);
    expect([path, response.status]).toEqual([path, status]);
    return (await response.json()) as Problem;
  }

  test("facts", async () => {
    const facts = await json<ServerFacts>("/api/server");
    expect(facts).toMatchObject({ hasLab: false, hasReport: true, uploadLimit: 256 * 2 ** 20 });
    expect(facts.columns).toContain("dataset");
  });

  test("studies, the last changed first, with counts", async () => {
    const studies = await json<StudySummary[]>("/api/studies");
    expect(studies.map(({ name }) => name)).toEqual(["second", "first"]);
    expect(studies[1]).toMatchObject({
      counts: { waiting: 6, running: 1, done: 12, failed: 1 },
      wish: null,
      isActive: false,
      error: null,
      hasText: false,
    });
    expect(Math.abs(Date.now() - studies[0].changedAt!)).toBeLessThan(60_000);
  });

  test("a study with its failures and the values to filter by", async () => {
    const study = await json<StudyDetails>("/api/studies/first");
    expect(study.failures.map(({ error }) => error)).toEqual(["<b>device lost</b>"]);
    expect(study.values).toEqual({ epsilon: [0.01, 0.02], budget: [80, 160] });
    expect(study.text).toBeNull();
    expect((await refused("/api/studies/none", 404)).error).toBe('there is no study "none"');
  });

  test("runs page by page, all of them once", async () => {
    const seen: string[] = [];
    let after = "";
    for (let pages = 0; pages < 5; pages++) {
      const page = await json<RunPage>(`/api/runs?study=first&limit=6${after}`);
      seen.push(...page.runs.map(({ id }) => id));
      expect(page.counts.done).toBe(12);
      if (page.next === null) break;
      after = `&after=${page.next}`;
    }
    expect(seen).toEqual(runs.map(({ id }) => id));
  });

  test("runs sorted, page by page, and filtered by any column", async () => {
    const sorted = async (query: string) => (await json<RunPage>(`/api/runs?${query}`)).runs.map(({ value }) => value);
    const expected = runs
      .slice(0, 12)
      .map(({ description }) => instantOutcome(description).value)
      .sort((a, b) => b - a);
    expect(await sorted("study=first&state=done&sort=-value&limit=5")).toEqual(expected.slice(0, 5));
    const page = await json<RunPage>("/api/runs?study=first&state=done&sort=-value&limit=5");
    expect(await sorted(`study=first&state=done&sort=-value&limit=5&after=${page.next}`)).toEqual(
      expected.slice(5, 10),
    );
    expect((await json<RunPage>("/api/runs?model=sgc&seed=0&seed=1&seed=7")).runs).toHaveLength(2);
    expect((await json<RunPage>("/api/runs?epsilon=0.02&state=waiting&state=running")).runs).toHaveLength(7);
  });

  test("a run in full", async () => {
    const run = await json<RunDetails>(`/api/runs/${runs[0].id}`);
    expect(run.description).toEqual(runs[0].description);
    expect(run).toMatchObject({ studies: ["first"], label: "cora_ml seed 0: prbcd (tanh-margin) ε 0.01 on gcn" });
    expect(run.result).toEqual(instantOutcome(runs[0].description).result);
    expect(run.row.state).toBe("done");
    await refused("/api/runs/none", 404);
  });

  test("values, results with errors, comparisons", async () => {
    expect((await json<RunValues>("/api/values")).model).toEqual(["gcn", "sgc"]);
    const results = await json<Results>("/api/results?study=first&by=epsilon");
    expect(results.map(({ group, count }) => [group, count])).toEqual([
      [{ epsilon: 0.01 }, 10],
      [{ epsilon: 0.02 }, 2],
    ]);
    expect(results[0].standardError).toBeGreaterThan(0);
    expect(results[0].interval).toHaveLength(2);
    const [comparison] = await json<Comparison>("/api/compare?first=sgc&second=gcn");
    expect(comparison).toMatchObject({ seeds: 2, epsilon: 0.01 });
    expect(comparison.first).toBeCloseTo(0.905);
  });

  test("workers and their leases", async () => {
    const { owners, progress } = await json<Workers>("/api/workers");
    expect(owners.map(({ owner, runs: count }) => [owner, count])).toEqual([["here:1:x", 1]]);
    expect(owners[0].leaseLeft).toBeGreaterThan(0);
    expect(progress).toEqual([]);
  });

  test("a report, in a sandbox", async () => {
    const response = await dashboard.get("/api/report?study=first");
    expect(await response.text()).toBe("<title>first</title>");
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(response.headers.get("content-security-policy")).toMatch(/^sandbox allow-scripts/);
    await refused("/api/report?study=none", 404);
    await refused("/api/report?color=blue", 400);
  });

  test("what is wrong with a query, in one line", async () => {
    expect((await refused("/api/runs?colour=blue", 400)).error).toContain('unknown filter "colour"; known are dataset');
    expect((await refused("/api/runs?state=lost", 400)).error).toContain("waiting, running, done, failed");
    expect((await refused("/api/runs?limit=100000", 400)).error).toBe("limit must be 1000 or less, got 100000");
    expect((await refused("/api/runs?sort=id", 400)).error).toContain('sort: unknown "id"');
    expect((await refused("/api/runs?seed=-1", 400)).error).toContain("seed must be a whole number");
    expect((await refused("/api/results?by=id", 400)).error).toContain('by: unknown "id"');
    expect((await refused("/api/compare?first=gcn", 400)).error).toBe("second is missing");
    await refused("/api/nothing", 404);
    await refused("/api", 404);
    await refused("/api/runs?study=a&study=b", 400);
  });

  test("which methods an address takes", async () => {
    const response = await fetch(`${dashboard.url}/api/studies`, { method: "DELETE" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toContain("POST");
    expect((await fetch(`${dashboard.url}/api/events`, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${dashboard.url}/api/studies`, { method: "HEAD" })).status).toBe(200);
  });

  test("where the pages are not built, that they are not", async () => {
    const response = await dashboard.get("/");
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("not built: run npm run build");
  });

  test("nothing of it is an error of ours", () => {
    expect(dashboard.lines).toEqual([]);
  });
});

describe("posting a study", () => {
  const folder = sharedFolder();
  const data = join(folder, "data");
  let dashboard: Dashboard;
  beforeAll(async () => {
    mkdirSync(data);
    writeFileSync(join(folder, "secret.csv"), "root,x\n1,2\n");
    dashboard = await startDashboard(folder, { dataDir: data });
  });
  afterAll(() => dashboard.close());

  const post = (text: string, type = "application/yaml") =>
    dashboard.post("/api/studies", text, { "content-type": type });
  const STUDY = "name: small\ndatasets: synthetic-citation\nmodels: sgc\nseeds: [0, 1]\n";

  test("plans it and adds its runs, which wait to be started", async () => {
    const response = await post(STUDY);
    expect([response.status, await response.json()]).toEqual([
      201,
      { name: "small", counts: { waiting: 2, running: 0, done: 0, failed: 0 } },
    ]);
    const study = (await (await dashboard.get("/api/studies/small")).json()) as StudyDetails;
    expect(study).toMatchObject({ wish: null, hasText: true, text: STUDY });
  });

  test("says line and key of a mistake", async () => {
    const response = await post(STUDY.replace("sgc", "[gcn, nogcn]"));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ line: 3, key: "models[1]" });
    expect(await (await post("name: [")).json()).toMatchObject({ line: 1 });
    const planned = await post(`${STUDY}attacks: dice\nbudgets: [100000000]\n`); // found when the graph is known
    expect([planned.status, ((await planned.json()) as Problem).error]).toEqual([
      400,
      expect.stringContaining("budget"),
    ]);
  });

  test("refuses what cannot be YAML of ours: other types, too much of it, aliases that hold themselves", async () => {
    expect((await post(STUDY, "text/plain")).status).toBe(415);
    expect((await post("x".repeat(1_000_001))).status).toBe(413);
    expect((await post("name: a\ndatasets: &d [*d]\nmodels: gcn\nseeds: 0\n")).status).toBe(400);
  });

  test.each([
    ["datasets", "/etc/passwd"],
    ["datasets", "../secret.csv"],
    ["splits", "/etc/passwd.json"],
  ])("refuses %s with the path %s, outside of its folders", async (key, path) => {
    const text = key === "datasets" ? STUDY.replace("synthetic-citation", path) : `${STUDY}splits: ${path}\n`;
    const response = await post(text);
    expect(response.status).toBe(400);
    expect(((await response.json()) as Problem).error).toContain(`${path}: is no known graph`);
  });

  test("wishes for what is not there are refused", async () => {
    expect((await dashboard.post("/api/studies/none/start", "{}")).status).toBe(404);
    expect((await dashboard.post("/api/studies/small/explode", "{}")).status).toBe(404);
    expect((await dashboard.post("/api/studies/small/start", "a=b", { "content-type": "text/plain" })).status).toBe(
      415,
    );
    await dashboard.store.addRuns("elsewhere", runsOf(1));
    expect((await dashboard.post("/api/studies/elsewhere/start", "{}")).status).toBe(409);
    expect(dashboard.lines).toEqual([]);
  });
});
