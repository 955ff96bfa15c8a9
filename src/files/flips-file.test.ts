import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyGraph, randomGraph } from "../../test/support/any-graph.ts";
import { randomBlock } from "../../test/support/block.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { NodeIds } from "../data/node-ids.ts";
import { readFlips, writeFlips } from "./flips-file.ts";

test("flips come back as they were written, on any graph", async () => {
  const file = join(temporaryFolder(), "flips.csv");
  await fc.assert(
    fc.asyncProperty(anyGraph, fc.nat(1000), async (graph, seed) => {
      const { sources, targets } = randomBlock(graph, seed);
      const flips = { sources: Int32Array.from(sources), targets: Int32Array.from(targets) };
      await writeFlips(file, graph, flips);
      expect(readFlips(file, graph)).toEqual(flips);
    }),
    { numRuns: 40 },
  );
});

test("a file that does not fit the graph is refused with its line", () => {
  const graph = randomGraph(4, 0, 0); // no edges
  const file = join(temporaryFolder(), "flips.csv");
  const read = (text: string) => {
    writeFileSync(file, text);
    return readFlips(file, graph);
  };
  const head = "source,target,action\n";
  expect(() => read("from,to\n0,1\n")).toThrow('first line must be "source,target,action", got "from,to"');
  expect(() => read(`${head}0,1,add\n1,2,put\n`)).toThrow('line 3 must be source,target,add or remove, got "1,2,put"');
  expect(() => read(`${head}0,1,add\n1,x,add\n`)).toThrow('line 3: random has no node "x"; ids are 0 … 3');
  expect(() => read(`${head}0,1,remove\n`)).toThrow('line 2 says remove, but on random that pair would be "add"');
  expect(() => read(`${head}0,1,add\n0,1,add\n`)).toThrow("1 of 2 pairs repeat an earlier one");
  expect(() => read(`${head}0,9,add\n`)).toThrow("line 2: random has no node 9; ids are 0 … 3");
  expect(() => read(`${head}1,4294967296,add\n`)).toThrow("has no node 4294967296"); // 2^32 is not node 0
  expect(read(head).sources.length).toBe(0);
});

test("flips name nodes by their ids in the input, names with commas and quotes too", async () => {
  const graph = randomGraph(3, 0, 0);
  const ids = NodeIds.of(["a,b", 'say "c"', "d"], "mine");
  const file = join(temporaryFolder(), "flips.csv");
  const flips = { sources: Int32Array.of(0, 1), targets: Int32Array.of(1, 2) };
  await writeFlips(file, graph, flips, ids);
  expect(readFileSync(file, "utf8")).toBe('source,target,action\n"a,b","say ""c""",add\n"say ""c""",d,add\n');
  expect(readFlips(file, graph, ids)).toEqual(flips);
});

test("flips are read with a byte order mark and any line ends", () => {
  const file = join(temporaryFolder(), "flips.csv");
  writeFileSync(file, "\ufeffsource,target,action\r\n0,1,add\r\n");
  expect([...readFlips(file, randomGraph(3, 0, 0)).targets]).toEqual([1]);
});
