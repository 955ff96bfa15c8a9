import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyGraph, randomGraph } from "../../test/support/any-graph.ts";
import { randomBlock } from "../../test/support/block.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
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
  expect(() => read(`${head}0,1,add\n1,x,add\n`)).toThrow('line 3 must be source,target,add or remove, got "1,x,add"');
  expect(() => read(`${head}0,1,remove\n`)).toThrow('line 2 says remove, but on random that pair would be "add"');
  expect(() => read(`${head}0,1,add\n0,1,add\n`)).toThrow("1 of 2 pairs repeat an earlier one");
  expect(() => read(`${head}0,9,add\n`)).toThrow("must name nodes 0 … 3");
  expect(read(head).sources.length).toBe(0);
});
