import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createReference } from "../../backend/reference/reference.ts";
import { createWasm } from "../../backend/wasm/wasm.ts";
import { UserError } from "../../core/errors.ts";
import { Rng } from "../../core/rng.ts";
import { bytesSource } from "../../data/formats/byte-source.ts";
import { csrFromEntries } from "../../graph/csr.ts";
import { checkGraph, type Features, Graph } from "../../graph/graph.ts";
import { symmetrise } from "../../graph/symmetrise.ts";
import { toDevice } from "../../tensor/index.ts";
import { Gcn, gcnDefaults, linearGcnDefaults } from "../models/gcn.ts";
import { Mlp, mlpDefaults } from "../models/mlp.ts";
import { Sgc } from "../models/sgc.ts";
import { predict } from "../training/evaluate.ts";
import { decodePyg, encodePyg } from "./pyg-layout.ts";
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from "./safetensors.ts";

/** The file of which a test speaks. */
let bytes: Uint8Array;
const file = () => bytesSource(bytes, "w.safetensors");

const goldenFolder = fileURLToPath(new URL("../../../test/golden/pyg/", import.meta.url));
const goldenBytes = (name: string) => new Uint8Array(readFileSync(`${goldenFolder}${name}.safetensors`));
const goldenSource = (name: string) => bytesSource(goldenBytes(name), name);
const golden: { edges: [number, number][]; features: number[][]; logits: Record<string, number[][]> } = JSON.parse(
  readFileSync(`${goldenFolder}golden.json`, "utf8"),
);
const names = Object.keys(golden.logits);

const backend = createReference();
const wasm = await createWasm({ threads: 2 });
afterAll(() => wasm.close());

const n = golden.features.length;
const d = golden.features[0].length;
const dense: Features = { numRows: n, numCols: d, data: Float32Array.from(golden.features.flat()) };
const view = toDevice(backend, goldenGraph(dense));

function goldenGraph(features: Features): Graph {
  const rows = golden.edges.map(([i]) => i);
  const cols = golden.edges.map(([, j]) => j);
  return checkGraph(
    new Graph({
      adjacency: symmetrise(csrFromEntries(n, n, rows, cols)),
      features,
      labels: new Int32Array(n),
      directed: false,
    }),
  );
}

function sparse(): Features {
  const entries = golden.features.flatMap((row, i) => row.map((value, j) => [i, j, value] as const));
  const [rows, cols, values] = [0, 1, 2].map((k) => entries.filter(([, , value]) => value !== 0).map((e) => e[k]));
  return csrFromEntries(n, d, rows!, cols!, values!);
}

function largestDifference(logits: ArrayLike<number>, name: string): number {
  return Math.max(...golden.logits[name].flat().map((expected, i) => Math.abs(expected - logits[i])));
}

/** A tensor of this shape with values of its own. */
function random(shape: number[], seed = 0): StoredTensor {
  const rng = new Rng(seed);
  const size = shape.reduce((product, length) => product * length, 1);
  return { dtype: "F32", shape, data: Float32Array.from({ length: size }, () => rng.normal()) };
}

function write(tensors: Record<string, StoredTensor>): void {
  bytes = encodeSafetensors({ tensors: new Map(Object.entries(tensors)), metadata: {} });
}

describe("decodePyg", () => {
  const layouts = { dense, sparse: sparse() };
  const places = [backend, wasm].flatMap((on) =>
    Object.entries(layouts).map(([layout, features]) => ({ on, layout, features })),
  );
  test.each(places)("gives the logits of PyTorch Geometric on $on.name, $layout features", async ({ on, features }) => {
    const onDevice = toDevice(on, goldenGraph(features));
    for (const name of names) {
      const logits = await predict(decodePyg(goldenSource(name)).build(on), onDevice).read();
      expect(logits.length).toBe(40 * 5);
      expect(largestDifference(logits, name)).toBeLessThan(1e-5);
    }
  });

  test("says what it found and what it assumed", () => {
    expect(names.map((name) => decodePyg(goldenSource(name)).found)).toEqual([
      "gcn, widths 24 → 8 → 5, activation relu (assumed)",
      "gcn, widths 24 → 8 → 12 → 5, batch norm, activation relu (assumed)",
      "gcn, widths 24 → 8 → 8 → 5, batch norm, activation relu (assumed)",
      "gat, widths 24 → 8 → 5, one head",
      "sgc, widths 24 → 5, 2 steps (assumed)",
    ]);
    expect(decodePyg(goldenSource("sgc"), { steps: 3 })).toMatchObject({ name: "sgc", config: { steps: 3 } });
    expect(decodePyg(goldenSource("gcn-bns"))).toMatchObject({
      name: "gcn",
      sizes: { features: 24, classes: 5 },
      config: { hidden: [8, 12], batchNorm: true, bias: true },
    });
  });

  test("takes layers in natural order, the tenth after the second", async () => {
    const layer = (l: number) => [`net.convs.${l}.lin.weight`, random([l + 2, l + 1], l)] as const;
    write(Object.fromEntries([...Array(12).keys()].map(layer)));
    expect(decodePyg(file()).found).toMatch(/^gcn, widths 1 → 2 → 3 .* 12 → 13, no bias/);
  });

  test("reads the older layout of GATConv, in which the weight is named twice", async () => {
    const tensors = Object.fromEntries(
      [...decodeSafetensors(goldenSource("gat")).tensors].flatMap(([name, tensor]) =>
        name.endsWith("lin.weight")
          ? ["lin_src", "lin_dst"].map((lin) => [name.replace(/lin(?=\.)/, lin), tensor])
          : [[name, tensor]],
      ),
    );
    write(tensors);
    expect(largestDifference(await predict(decodePyg(file()).build(backend), view).read(), "gat")).toBeLessThan(1e-5);
    write({ ...tensors, "convs.0.lin_dst.weight": random([8, 24]) });
    expect(() => decodePyg(file())).toThrow('"convs.0" has lin_dst.weight unlike lin_src.weight');
  });

  test("takes one layer without a bias for an SGConv only where steps are given", async () => {
    write({ "lin.weight": random([5, 24]) });
    expect(decodePyg(file())).toMatchObject({ name: "gcn", config: { hidden: [], bias: false } });
    const sgc = decodePyg(file(), { steps: 2 }).build(backend);
    expect([sgc.name, ...(await sgc.parameters.get("bias")!.read())]).toEqual(["sgc", 0, 0, 0, 0, 0]);
  });

  test("gives zeros to a layer without a bias where another has one", async () => {
    write({ "a1.lin.weight": random([4, 24]), "a1.bias": random([4]), "a2.lin.weight": random([5, 4]) });
    const { parameters } = decodePyg(file()).build(backend);
    expect([...(await parameters.get("convs.1.bias")!.read())]).toEqual([0, 0, 0, 0, 0]);
  });

  test.each<[string, Record<string, StoredTensor>, string]>([
    ["no layer", {}, "has no GCNConv, GATConv or SGConv"],
    ["an unknown tensor", { "c.lin_edge": random([1]) }, 'tensor "c.lin_edge" belongs to no GCNConv'],
    ["a plain linear layer", { "fc.weight": random([2, 3]) }, 'module "fc" (weight) is no GCNConv'],
    [
      "layers of two kinds",
      { "a.lin.weight": random([2, 3]), "b.lin.weight": random([2, 2]), "b.lin.bias": random([2]) },
      'must be of one kind, got gcn layer "a" and sgc layer "b"',
    ],
    [
      "layers that do not follow each other",
      { "in.lin.weight": random([4, 3]), "hidden.lin.weight": random([6, 4]) },
      '"in" takes 3 inputs, but the layer before gives 6 (taken in the order hidden, in)',
    ],
    [
      "a bias of another width",
      { "a.lin.weight": random([4, 3]), "a.bias": random([3]) },
      '"a": bias must have shape [4], got [3]',
    ],
    ["a vector for a weight", { "a.lin.weight": random([4]) }, '"a": lin.weight must have shape [out, in], got [4]'],
    [
      "several heads",
      { "a.lin.weight": random([4, 3]), "a.att_src": random([1, 2, 2]), "a.att_dst": random([1, 2, 2]) },
      '"a" has 2 heads; only GATConv with one head',
    ],
    ["two SGConvs", sgcStack(), "2 SGConv layers; an sgc has one"],
  ])("refuses %s", async (_, tensors, message) => {
    write(tensors);
    expect(() => decodePyg(file())).toThrow(message);
  });

  test("refuses as many batch norms as layers", async () => {
    const { tensors } = decodeSafetensors(goldenSource("gcn-norms"));
    const more = [...tensors].flatMap(([name, tensor]) =>
      name.startsWith("norms.1.") ? [[name.replace("norms.1", "norms.2"), tensor] as const] : [],
    );
    write(Object.fromEntries([...tensors, ...more]));
    expect(() => decodePyg(file())).toThrow("3 batch norms for 2 hidden layers");
  });

  test("refuses options that do not concern the model", () => {
    expect(() => decodePyg(goldenSource("gcn"), { steps: 2 })).toThrow("holds a gcn, to which steps means nothing");
    expect(() => decodePyg(goldenSource("gat"), { activation: "relu" })).toThrow("to which activation means nothing");
    expect(() => decodePyg(goldenSource("sgc"), { steps: -1 })).toThrow("steps must be a whole number from 0, got -1");
  });
});

describe("a damaged state dict", () => {
  test.each(["gcn-norms", "gat", "sgc"])("of a %s is refused with a UserError or makes a model", (name) => {
    const whole = goldenBytes(name);
    const before = backend.memory.current;
    const edit = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        bytes = Uint8Array.from(whole);
        for (const [at, value] of edits) bytes[at] = value;
        try {
          decodePyg(file()).build(backend).dispose();
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
        }
        expect(backend.memory.current).toBe(before);
      }),
      { numRuns: 300 },
    );
  });
});

function sgcStack(): Record<string, StoredTensor> {
  const layers = ["a", "b"].map((name) => ({
    [`${name}.lin.weight`]: random([3, 3]),
    [`${name}.lin.bias`]: random([3]),
  }));
  return Object.assign({}, ...layers);
}

describe("encodePyg", () => {
  test.each(names)("writes %s so that it comes back with the same logits", async (name) => {
    bytes = await encodePyg(decodePyg(goldenSource(name)).build(backend));
    expect(largestDifference(await predict(decodePyg(file()).build(backend), view).read(), name)).toBeLessThan(1e-5);
  });

  test.each(["gcn-norms", "gat", "sgc"])("writes the tensors that PyTorch Geometric's own %s has", async (name) => {
    bytes = await encodePyg(decodePyg(goldenSource(name)).build(backend));
    expect(decodeSafetensors(file()).tensors).toEqual(decodeSafetensors(goldenSource(name)).tensors);
  });

  test("stores what a state dict does not say", async () => {
    const sizes = { features: 24, classes: 5 };
    bytes = await encodePyg(new Sgc(backend, sizes, { steps: 4 }, new Rng(0)));
    expect(decodePyg(file()).found).toBe("sgc, widths 24 → 5, 4 steps");
    bytes = await encodePyg(new Gcn(backend, sizes, { ...linearGcnDefaults, hidden: [6] }, new Rng(0)));
    expect(decodePyg(file()).found).toBe("gcn, widths 24 → 6 → 5, activation identity");
  });

  test("refuses models that PyTorch Geometric's layers cannot express", async () => {
    const sizes = { features: 24, classes: 5 };
    const rowNormalised = new Gcn(backend, sizes, { ...gcnDefaults, normalisation: "row" }, new Rng(0));
    await expect(encodePyg(rowNormalised)).rejects.toThrow("row normalisation cannot be exported");
    const mlp = new Mlp(backend, sizes, mlpDefaults, new Rng(0));
    await expect(encodePyg(mlp)).rejects.toThrow("mlp has no layout in PyTorch Geometric; known are gcn, gat, sgc");
  });
});
