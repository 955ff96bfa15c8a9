import { appendFileSync, cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Json } from "../../core/options/index.ts";
import { syntheticCitation } from "../../data/synthetic/synthetic-citation.ts";
import { Graph } from "../../graph/graph.ts";
import { canonicalJson, contentId } from "./canonical-json.ts";
import { codeHash, hashAll } from "./code-hash.ts";
import { graphContentHash } from "./graph-content.ts";
import { type CellDescription, flipsId, modelId, type RunDescription, runId, workId } from "./run-description.ts";

const cell: CellDescription = {
  graph: { dataset: "cora_ml", sha256: "ab" },
  split: null,
  model: { name: "gcn", hyperparameters: { hidden: [64], dropout: 0.5 } },
  attack: {
    name: "prbcd",
    options: { epochs: 10 },
    loss: "tanh-margin",
    objective: "accuracy",
    epsilon: 0.1,
    budget: 798,
    surrogate: null,
  },
  time: "evasion",
  nodes: "test",
  quantity: "accuracy",
  device: "cpu",
  code: { training: "t", attack: "a" },
};
const run: RunDescription = { cell, seed: 0, splitHash: "s0" };

describe("canonical JSON", () => {
  test("sorts keys at every depth and keeps the order of lists", () => {
    expect(canonicalJson({ b: [2, { d: null, c: "x" }], a: true })).toBe('{"a":true,"b":[2,{"c":"x","d":null}]}');
  });
  test("is read back as the same value, and is the same text whatever the order of the keys", () => {
    const reversed = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, field]) => [key, reversed(field)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (any) => {
        const value = JSON.parse(JSON.stringify(any)) as Json; // -0 is 0 in JSON
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
        expect(contentId(reversed(value))).toBe(contentId(value));
      }),
    );
  });
});

describe("the identity of a run", () => {
  test("changes with every single thing that determines the result", () => {
    const attack = cell.attack!;
    const others: RunDescription[] = [
      { ...run, seed: 1 },
      { ...run, splitHash: "s1" },
      ...[
        { ...cell, graph: { ...cell.graph, sha256: "cd" } },
        { ...cell, graph: { ...cell.graph, directed: true } },
        { ...cell, model: { ...cell.model, hyperparameters: { hidden: [32], dropout: 0.5 } } },
        { ...cell, attack: null },
        { ...cell, attack: { ...attack, options: { epochs: 11 } } },
        { ...cell, attack: { ...attack, budget: 799 } },
        { ...cell, attack: { ...attack, objective: "margin" } },
        { ...cell, attack: { ...attack, surrogate: { name: "gcn", hyperparameters: {} } } },
        { ...cell, time: "poisoning" as const },
        { ...cell, device: "webgpu" },
        { ...cell, code: { training: "t", attack: "b" } },
      ].map((other) => ({ ...run, cell: other })),
    ];
    const ids = [run, ...others].map(runId);
    expect(new Set(ids).size).toBe(ids.length);
  });
  test("lets runs share a trained model whatever attacks it, and flips whoever is evaluated on them", () => {
    const surrogate = { name: "gcn", hyperparameters: {} };
    const transfer = { ...cell, attack: { ...cell.attack!, surrogate } };
    const first: RunDescription = { ...run, cell: transfer };
    const other: RunDescription = { ...first, cell: { ...transfer, model: { name: "mlp", hyperparameters: {} } } };
    expect(modelId({ ...run, cell: { ...cell, attack: null } })).toBe(modelId(run));
    expect(modelId({ ...run, cell: { ...cell, code: { training: "t", attack: "other" } } })).toBe(modelId(run));
    expect(modelId(other)).not.toBe(modelId(first));
    expect(flipsId(other)).toBe(flipsId(first));
    expect(flipsId(first)).not.toBe(flipsId(run));
  });
  test("makes one work of all budgets of an attack whose flips begin with those of smaller budgets", () => {
    const larger = { ...run, cell: { ...cell, attack: { ...cell.attack!, budget: 900 } } };
    expect(workId(larger, true)).toBe(workId(run, true));
    expect(workId(larger, false)).not.toBe(workId(run, false));
  });
});

describe("the hash of the code", () => {
  const source = join(import.meta.dirname, "..", "..");

  test("changes with the sources of what is measured, and of a trained model only with those that it depends on", () => {
    const copy = join(temporaryFolder(), "src");
    cpSync(source, copy, { recursive: true });
    const change = (...path: string[]) => writeFileSync(join(copy, ...path), "// other");
    const before = hashAll(copy);
    expect(before.training.cpu).toBe(codeHash("training", "cpu"));
    change("cli", "table.ts");
    change("data", "read-graph-files.ts");
    change("nn", "nobody-imports-this.ts");
    change("nn", "model.ts"); // types alone
    change("attack", "dice.test.ts");
    expect(hashAll(copy)).toEqual(before);
    change("attack", "dice.ts");
    expect(hashAll(copy).training).toEqual(before.training);
    expect(hashAll(copy).attack.cpu).not.toBe(before.attack.cpu);
    change("nn", "training", "adam.ts");
    expect(hashAll(copy).training.cpu).not.toBe(before.training.cpu);
    expect(hashAll(copy).training.webgpu).not.toBe(before.training.webgpu);
  });

  test("stays the same when a comment changes, in kernels too", () => {
    const copy = join(temporaryFolder(), "src");
    cpSync(source, copy, { recursive: true });
    const before = hashAll(copy);
    for (const file of [join("attack", "dice.ts"), join("backend", "wasm", "assembly", "index.ts")]) {
      appendFileSync(join(copy, file), "// as published\n");
    }
    expect(hashAll(copy)).toEqual(before);
  });

  test("names kernels only on their own device", () => {
    const copy = join(temporaryFolder(), "src");
    cpSync(source, copy, { recursive: true });
    const before = hashAll(copy);
    writeFileSync(join(copy, "backend", "webgpu", "dense", "matmul.wgsl"), "// other");
    const after = hashAll(copy);
    expect(after.attack.cpu).toBe(before.attack.cpu);
    expect(after.attack.webgpu).not.toBe(before.attack.webgpu);
    writeFileSync(join(copy, "backend", "wasm", "assembly", "index.ts"), "// other");
    expect(hashAll(copy).training.cpu).not.toBe(before.training.cpu);
    expect(hashAll(copy).training.webgpu).toBe(after.training.webgpu);
  });
});

test("the hash of a graph covers edges, features and labels", () => {
  const graph = syntheticCitation();
  const hash = graphContentHash(graph);
  expect(hash).toBe(graphContentHash(new Graph(graph)));
  const labels = graph.labels.slice();
  labels[5] = (labels[5] + 1) % graph.numClasses;
  expect(graphContentHash(new Graph({ ...graph, labels }))).not.toBe(hash);
  const { features, adjacency } = graph;
  const values = "values" in features ? (features.values?.slice() ?? null) : null;
  if (values) values[0] += 1;
  const changed = values ? { ...features, values } : { numRows: 1, numCols: 1, data: Float32Array.of(1) };
  expect(graphContentHash(new Graph({ ...graph, features: changed as typeof features }))).not.toBe(hash);
  const colIdx = adjacency.colIdx.slice();
  colIdx[0] += 1;
  expect(graphContentHash(graph.withAdjacency({ ...adjacency, colIdx }))).not.toBe(hash);
});
