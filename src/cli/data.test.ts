import { CommanderError } from "commander";
import { describe, expect, test, vi } from "vitest";
import { realData } from "../../test/support/real-data.ts";
import { smallGraphs, writeSmallGraph } from "../../test/support/small-graph-files.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { UserError } from "../core/errors.ts";
import { catalogue } from "../data/catalogue/catalogue.ts";
import { dataCommand } from "./data.ts";

/** What `rgnn data …` prints on stdout. */
async function data(...args: string[]): Promise<string> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await dataCommand().parseAsync(args, { from: "user" });
    return log.mock.calls.map(([line]) => line).join("\n");
  } finally {
    log.mockRestore();
  }
}

describe("rgnn data list", () => {
  test("shows every known graph in an aligned table", async () => {
    const lines = (await data("list")).split("\n");
    for (const name of Object.keys(catalogue)) expect(lines.some((line) => line.startsWith(`${name} `))).toBe(true);
    expect(lines[2]).toMatch(/^synthetic-citation +2,810 +15,962 +2,879 +7 +random +built in/);
  });
  test("as JSON says where each graph is", async () => {
    const { datasets } = JSON.parse(await data("list", "--json", "--data-dir", temporaryFolder()));
    expect(datasets.map(({ name }: { name: string }) => name)).toEqual(Object.keys(catalogue));
    expect(datasets[0]).toMatchObject({ name: "synthetic-citation", numNodes: 2810, numEdges: 15962, path: null });
  });
});

describe("rgnn data info", () => {
  test("as JSON counts stored entries", async () => {
    const path = writeSmallGraph(smallGraphs["npz edges"], temporaryFolder());
    const info = JSON.parse(await data("info", path, "--json"));
    expect(info).toMatchObject({
      name: "small",
      numNodes: 5,
      numEdges: 10,
      numFeatures: 3,
      numClasses: 2,
      directed: false,
    });
    expect(info).toMatchObject({ classSizes: [2, 3], degrees: { min: 1, max: 3, mean: 2 }, homophily: 0.4 });
    expect(info.splits["mask-0"]).toEqual({ train: 2, val: 1, test: 2 });
  });
  test("keeps directions with --directed", async () => {
    const path = writeSmallGraph(smallGraphs.csv, temporaryFolder());
    expect(JSON.parse(await data("info", path, "--json", "--directed"))).toMatchObject({ numEdges: 5, directed: true });
  });
  test("prints one fact per line", async () => {
    const path = writeSmallGraph(smallGraphs.csv, temporaryFolder());
    expect((await data("info", path)).split("\n")).toEqual([
      "name       csv",
      "nodes      5",
      "edges      10 stored entries, undirected",
      "features   3, 15 stored",
      "classes    2 of sizes 2 3",
      "degrees    1 to 3, mean 2.00",
      "homophily  0.4000 of the edges join equal labels",
      "splits     random by seed",
    ]);
  });
  test("refuses unknown graphs and unknown options", async () => {
    await expect(data("info", "no-such-graph")).rejects.toThrow(UserError);
    vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    await expect(data("info", "cora_ml", "--undirected")).rejects.toThrow(CommanderError);
    vi.restoreAllMocks();
  });
  realData("cora_ml")("has the counts of the paper for Cora ML", async () => {
    const info = JSON.parse(await data("info", "cora_ml", "--json"));
    expect(info).toMatchObject({ name: "cora_ml", numNodes: 2810, numEdges: 15962, numFeatures: 2879, numClasses: 7 });
  });
});

describe("rgnn data get", () => {
  test("has nothing to do for the built-in graph", async () => {
    expect(await data("get", "synthetic-citation")).toBe("synthetic-citation is built in; there is nothing to get");
  });
  test("refuses unknown graphs and lists the known ones", async () => {
    await expect(data("get", "no-such-graph")).rejects.toThrow(/unknown dataset "no-such-graph"; known are .*cora_ml/);
  });
});
