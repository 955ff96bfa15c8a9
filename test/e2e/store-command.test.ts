import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readStore } from "../support/read-store.ts";
import { rgnn, rgnnHere, rgnnJson } from "../support/rgnn.ts";
import { sharedFolder, temporaryFolder } from "../support/temporary-folder.ts";

const folder = sharedFolder();
const store = join(folder, "made.store");

describe("rgnn data, on graph stores", () => {
  test("make writes a store with a public split and says where it is", async () => {
    const made = await rgnnJson("data", "make", "papers100M", "--nodes", "30000", "--out", store, "--seed", "3");
    expect(made).toMatchObject({
      name: "papers100M",
      path: store,
      numNodes: 30_000,
      numFeatures: 128,
      numClasses: 172,
    });
    const { header, splits, labels } = readStore(store);
    expect(header).toMatchObject({ numNodes: 30_000, directed: true, splits: ["public"] });
    expect(splits.public.train.length).toBe(326); // 1,207,179 of 111,059,956
    expect(labels[splits.public.train[0]]).toBe(splits.public.train[0] % 172);
    expect(labels.filter((label) => label >= 0).length).toBe(418);
  });
  test("info shows what the header says", async () => {
    const { numEntries } = readStore(store).header;
    const info = await rgnnJson("data", "info", store);
    expect(info).toMatchObject({
      name: "papers100M",
      numNodes: 30_000,
      numEdges: numEntries,
      directed: true,
      features: "f16",
      splits: { public: { train: 326, val: 34, test: 58 } },
    });
    const { stdout } = await rgnnHere(["data", "info", store]);
    expect(stdout).toMatch(/^features +128 as f16, 7\.3 MiB$/m);
  });
  test("check reads all of it, and names a part that was cut off", async () => {
    expect(await rgnnJson("data", "check", store)).toMatchObject({ path: store, damage: [] });
    const broken = join(temporaryFolder(), "b.store");
    await rgnnHere(["data", "convert", store, broken, "--undirected"]);
    truncateSync(join(broken, "columns.i32"), 1000);
    const { status, lines } = await rgnnHere(["data", "check", broken]);
    expect(status).toBe(2);
    expect(lines.at(-1)).toMatch(/^rgnn: .*b\.store\/columns\.i32: is cut off, it has 1000 bytes/);
    const info = await rgnnHere(["data", "info", broken]);
    expect([info.status, info.lines.length]).toEqual([2, 1]);
  });
  test("convert symmetrises a store, and turns files into one", async () => {
    const both = join(folder, "both.store");
    const made = await rgnnJson("data", "convert", store, both, "--undirected", "--memory", "1M", "--features", "i8");
    const { header } = readStore(both);
    expect(header).toMatchObject({ directed: false, numEntries: made.numEdges });
    expect(header.numEntries).toBeGreaterThan(1.8 * readStore(store).header.numEntries);
    expect(header.parts.features.type).toBe("i8");
    const own = join(temporaryFolder(), "own");
    mkdirSync(own);
    writeFileSync(join(own, "edges.csv"), "ann,bob\nbob,cid\n");
    const { status } = await rgnnHere(["data", "convert", join(own, "edges.csv"), join(own, "net.store")]);
    expect(status).toBe(0);
    const near = await rgnnHere(["data", "neighbourhood", join(own, "net.store"), "--nodes", "ann", "--hops", "1"]);
    expect(JSON.parse(near.stdout)).toMatchObject({
      directed: false,
      nodes: [
        { id: "ann", degree: 1, distance: 0 },
        { id: "bob", degree: 2, distance: 1 },
      ],
      links: [{ source: "ann", target: "bob" }],
    });
  });
  test("neighbourhood shows the same of a store and of the same graph in memory", async () => {
    const path = join(folder, "citation.store");
    await rgnnHere(["data", "convert", "synthetic-citation", path]);
    const flags = ["--nodes", "5,77", "--hops", "2", "--most", "20"];
    const ofStore = await rgnnHere(["data", "neighbourhood", path, ...flags]);
    const inMemory = await rgnnHere(["data", "neighbourhood", "synthetic-citation", ...flags]);
    expect(JSON.parse(ofStore.stdout)).toEqual(JSON.parse(inMemory.stdout));
    expect(JSON.parse(ofStore.stdout).nodes[1]).toMatchObject({ id: 77, distance: 0, label: expect.any(String) });
    const picture = join(folder, "near.graphml");
    await rgnnHere(["data", "neighbourhood", path, "--nodes", "5", "--out", picture]);
    expect(readFileSync(picture, "utf8")).toContain('attr.name="distance" attr.type="int"');
  });
  test("Ctrl-C keeps what is made, and the same command goes on", async () => {
    const path = join(temporaryFolder(), "a.store");
    const args = ["data", "make", "papers100M", "--nodes", "400000", "--out", path];
    let isStopped = false;
    const { status, lines } = await rgnn(args, (text, child) => {
      if (isStopped || !/^[12]\d%/m.test(text)) return;
      isStopped = true; // a second one would end it at once
      child.kill("SIGINT");
    });
    expect([status, lines.at(-1)]).toEqual([130, "rgnn: interrupted: run the same command again to go on from here"]);
    expect(existsSync(join(path, "store.json"))).toBe(false);
    const again = await rgnn(args);
    expect(again.status).toBe(0);
    expect((await rgnnHere(["data", "check", path])).status).toBe(0);
  });
});

describe("rgnn data, on graph stores, exits with 2 and one line for", () => {
  const inFolder = (name: string) => join(folder, name);
  const cases: [string, string[], RegExp][] = [
    ["a store that is there", ["make", "arxiv", "--out", store], /made\.store: is a graph store already; remove it/],
    ["an unknown shape", ["make", "papers", "--out", inFolder("x")], /unknown shape "papers"; known are cora_ml, /],
    ["too few nodes", ["make", "arxiv", "--nodes", "3", "--out", inFolder("x")], /--nodes must be 80 to .*, got 3/],
    ["a type of features", ["make", "arxiv", "--features", "f8", "--out", inFolder("x")], /'f8' is invalid/],
    [
      "a wrong size",
      ["make", "arxiv", "--memory", "much", "--out", inFolder("x")],
      /must be a size such as 4G or 512M/,
    ],
    ["a small size", ["make", "arxiv", "--memory", "1K", "--out", inFolder("x")], /must be 1M at least/],
    ["no store to check", ["check", folder], /is no graph store, it has no store\.json/],
    ["both directions", ["convert", store, inFolder("x.store"), "--directed", "--undirected"], /either --directed or/],
    [
      "options of stores",
      ["convert", "synthetic-citation", inFolder("x.npz"), "--memory", "1G"],
      /does not use --memory/,
    ],
    ["weights of a store", ["convert", store, inFolder("x.store"), "--ignore-weights"], /has no weights; leave out/],
    ["an unknown node", ["neighbourhood", store, "--nodes", "30000"], /has no node 30000; ids are 0 … 29999/],
    ["too few to show", ["neighbourhood", store, "--nodes", "1,2", "--most", "1"], /1 nodes at most cannot show the 2/],
    [
      "a picture",
      ["neighbourhood", store, "--nodes", "1", "--out", inFolder("x.png")],
      /written as \.json \(node-link\)/,
    ],
  ];
  test.each(cases)("%s", async (_, args, message) => {
    const { status, stdout, lines } = await rgnnHere(["data", ...args]);
    expect([status, stdout, lines.length]).toEqual([2, "", 1]);
    expect(lines[0]).toMatch(/^rgnn: /);
    expect(lines[0]).toMatch(message);
  });
});
