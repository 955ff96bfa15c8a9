import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AttackTask } from "../src/attack/attack.ts";
import { numPairs } from "../src/attack/budget.ts";
import { globalAttacks } from "../src/attack/global-attacks.ts";
import { type AttackLoss, tanhMargin } from "../src/attack/losses.ts";
import type { Backend } from "../src/backend/backend.ts";
import { createReference } from "../src/backend/reference/reference.ts";
import { createWasm } from "../src/backend/wasm/wasm.ts";
import { BudgetError } from "../src/core/errors.ts";
import { defaultsOf } from "../src/core/options/index.ts";
import { Rng } from "../src/core/rng.ts";
import { readFlips, writeFlips } from "../src/files/flips-file.ts";
import { isSymmetric } from "../src/graph/csr.ts";
import { applyFlips, type Flips } from "../src/graph/flips.ts";
import { checkGraph, type Graph } from "../src/graph/graph.ts";
import { Gat, gatDefaults } from "../src/nn/models/gat.ts";
import { Mlp, mlpDefaults } from "../src/nn/models/mlp.ts";
import { entryNames } from "./support/any-graph.ts";
import { type AttackCase, attackCase } from "./support/attack-case.ts";
import { denseAccuracy, hostGcn } from "./support/dense-gcn.ts";
import { quick } from "./support/quick-attacks.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const names = Object.keys(globalAttacks);
const byGradient = names.filter((name) => globalAttacks[name].asksFor === "gradients");

function attack(name: string, { model, view, nodes }: AttackCase, task: Partial<AttackTask> = {}, options = {}) {
  const whole = { nodes, budget: 4, rng: new Rng(1), ...task };
  return globalAttacks[name].run(model, view, whole, { ...quick[name], ...options });
}

/** B1: within budget, each pair a possible one, named once, no self loop, in order if undirected. */
function expectValid(flips: Flips, graph: Graph, budget: number): void {
  const pairs = Array.from(flips.sources, (source, k) => [source, flips.targets[k]] as const);
  expect(flips.targets.length).toBe(pairs.length);
  expect(pairs.length).toBeLessThanOrEqual(budget);
  expect(new Set(pairs.map(String)).size).toBe(pairs.length);
  for (const [i, j] of pairs) {
    for (const node of [i, j]) expect(node >= 0 && node < graph.numNodes).toBe(true);
    if (graph.directed) expect(i).not.toBe(j);
    else expect(i).toBeLessThan(j);
  }
}

/** A small graph with a model on it, directed or not, and a budget. */
const anyCase = fc.record({
  seed: fc.nat(1e6),
  directed: fc.boolean(),
  numNodes: fc.integer({ min: 9, max: 14 }),
  density: fc.constantFrom(0.15, 0.3, 0.6),
  budget: fc.integer({ min: 1, max: 8 }),
});

describe.each(names)("%s", (name) => {
  test("returns flips within the budget, undone by flipping again, with the accuracy that they really leave", async () => {
    const folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ seed, budget, ...options }) => {
        const given = await attackCase(createReference(), seed, options);
        const { graph, nodes, model } = given;
        const attacked = nodes.slice(0, 6);
        const result = await attack(name, given, { budget, nodes: attacked, rng: new Rng(seed) }).catch((error) => {
          if (name === "dice" && error instanceof BudgetError) return null; // too few edges within or between classes
          throw error;
        });
        fc.pre(result !== null);
        const { perturbation, targets, accuracy, trace, cost, interrupted } = result!;
        const { flips } = perturbation;
        expectValid(flips, graph, budget); // B1
        const perturbed = checkGraph(applyFlips(graph, flips));
        const before = entryNames(graph.adjacency);
        const after = entryNames(perturbed.adjacency);
        const changed = [
          ...before.filter((name) => !after.includes(name)),
          ...after.filter((name) => !before.includes(name)),
        ];
        expect(changed.length).toBe(flips.sources.length * (graph.directed ? 1 : 2)); // each is a flip
        expect(graph.directed || isSymmetric(perturbed.adjacency)).toBe(true);
        expect(entryNames(applyFlips(perturbed, flips).adjacency)).toEqual(before); // B2
        const file = join(folder, "flips.csv");
        await writeFlips(file, graph, flips);
        const read = applyFlips(graph, readFlips(file, graph));
        expect(accuracy.adversarial).toBe(denseAccuracy(await hostGcn(model), read, attacked)); // B3
        expect(accuracy.clean).toBe(1);
        const outcomes = [...targets];
        expect(outcomes.map(({ node }) => node)).toEqual(attacked);
        expect(outcomes.filter(({ adversarial }) => adversarial.correct).length / attacked.length).toBe(
          accuracy.adversarial,
        );
        for (const { clean, adversarial } of outcomes) {
          for (const { margin, correct } of [clean, adversarial]) {
            if (margin !== 0) expect(correct).toBe(margin > 0); // a tie goes to the first class
          }
        }
        expect(cost.epochs).toBe(trace.length);
        expect(interrupted).toBe(false);
      }),
      { numRuns: 15 },
    );
  });

  test("gives the same flips for the same seed, and changes neither its task nor its options", async () => {
    const given = await attackCase(createReference(), 3, { numNodes: 20 });
    const options = Object.freeze({ ...quick[name] });
    const run = (seed: number) => attack(name, given, Object.freeze({ rng: new Rng(seed) }), options);
    const first = await run(5);
    const again = await run(5);
    expect(again.perturbation).toEqual(first.perturbation);
    expect(again.trace).toEqual(first.trace);
    if (name !== "fgsm") expect((await run(6)).perturbation).not.toEqual(first.perturbation); // FGSM draws nothing
  });

  test("does not carry options from one call to the next", async () => {
    const given = await attackCase(createReference(), 3);
    const defaults = defaultsOf(globalAttacks[name].options);
    const before = await attack(name, given);
    await attack(
      name,
      given,
      {},
      name === "dice" ? { addRatio: 1 } : name === "fgsm" ? { tileSize: 128 } : { epochs: 2 },
    );
    const after = await attack(name, given);
    expect(after.perturbation).toEqual(before.perturbation);
    expect(defaultsOf(globalAttacks[name].options)).toEqual(defaults);
  });

  test("returns the clean graph for a budget of 0", async () => {
    const { perturbation, accuracy, cost } = await attack(name, await attackCase(createReference(), 5), { budget: 0 });
    expect(perturbation.flips.sources.length).toBe(0);
    expect(accuracy).toEqual({ clean: 1, adversarial: 1 });
    expect(cost.epochs).toBe(0);
  });

  test("refuses budgets that are no number of flips", async () => {
    const given = await attackCase(createReference(), 6);
    for (const budget of [numPairs(given.graph) + 1, -1, 1.5, Number.NaN]) {
      await expect(attack(name, given, { budget })).rejects.toThrow(BudgetError);
    }
  });

  test("refuses an empty set of nodes, and nodes that are not there", async () => {
    const given = await attackCase(createReference(), 7);
    await expect(attack(name, given, { nodes: [] })).rejects.toThrow(`${name}: there are no nodes to attack`);
    await expect(attack(name, given, { nodes: [99] })).rejects.toThrow("node 99 must be in 0 … 13");
  });

  test("refuses an option that it does not know, and lists those it does", async () => {
    const known = Object.keys(globalAttacks[name].options).join(", ");
    const given = await attackCase(createReference(), 8);
    await expect(attack(name, given, {}, { blocksize: 3 })).rejects.toThrow(
      `${name}: unknown option "blocksize"; known are ${known}`,
    );
  });

  test("refuses a value of the wrong kind for each of its options", async () => {
    const given = await attackCase(createReference(), 8);
    for (const option of Object.keys(globalAttacks[name].options)) {
      for (const value of ["many", Number.NaN, -1]) {
        await expect(attack(name, given, {}, { [option]: value })).rejects.toThrow(`${name}: ${option} must be`);
      }
    }
  });

  test("explains each of its options", () => {
    for (const { help } of Object.values(globalAttacks[name].options)) expect(help).toMatch(/^\S+ \S+/);
  });

  test("gives all its memory back, also when it refuses", async () => {
    const backend = createReference();
    const given = await attackCase(backend, 9);
    given.view.adjacency.transposed; // made once and kept with the graph
    const before = backend.memory.current;
    await attack(name, given);
    await attack(name, given, { budget: 1000 }).catch(() => {});
    await attack(name, given, {}, { nonsense: 1 }).catch(() => {});
    expect(backend.memory.current).toBe(before);
  });

  test("keeps a valid perturbation when it is ended early, and says so", async () => {
    const given = await attackCase(createReference(), 10, { numNodes: 20 });
    const controller = new AbortController();
    const progress = { update: () => controller.abort() }; // after the first step
    const { perturbation, accuracy, interrupted, trace } = await attack(name, given, {
      budget: 6,
      progress,
      signal: controller.signal,
    });
    const { flips } = perturbation;
    expect(interrupted).toBe(true);
    expect(trace.length).toBeLessThan(name === "dice" ? 1 : 3); // what is read may lag a step behind
    expectValid(flips, given.graph, 6);
    expect(accuracy.adversarial).toBe(
      denseAccuracy(await hostGcn(given.model), applyFlips(given.graph, flips), given.nodes),
    );
  });

  test("returns the clean graph if it is ended before it begins", async () => {
    const given = await attackCase(createReference(), 11);
    const { perturbation, interrupted } = await attack(name, given, { signal: AbortSignal.abort() });
    expect(perturbation.flips.sources.length).toBe(0);
    expect(interrupted).toBe(true);
  });
});

describe.each(byGradient)("%s, which follows gradients,", (name) => {
  test("refuses models that are not differentiable by edges and says what to do", async () => {
    const backend = createReference();
    const given = await attackCase(backend, 12);
    const sizes = { features: given.graph.numFeatures, classes: given.graph.numClasses };
    const mlp = new Mlp(backend, sizes, mlpDefaults, new Rng(0));
    const gat = new Gat(backend, sizes, gatDefaults, new Rng(0));
    for (const model of [mlp, gat]) {
      const refused = globalAttacks[name].run(model, given.view, { nodes: [0], budget: 1, rng: new Rng(0) });
      await expect(refused).rejects.toThrow(
        `${name}: ${model.name} cannot be differentiated by edges; attack a surrogate such as gcn and transfer`,
      );
    }
  });

  test("gives all its memory back when it fails in the middle", async () => {
    const backend = createReference();
    const given = await attackCase(backend, 9);
    given.view.adjacency.transposed; // made once and kept with the graph
    const before = backend.memory.current;
    for (const passes of [0, 1, 2]) {
      let left = passes;
      const failing: AttackLoss = (logits, labels) => {
        if (left-- === 0) throw new Error("enough");
        return tanhMargin(logits, labels);
      };
      await expect(attack(name, given, {}, { loss: failing })).rejects.toThrow("enough");
      expect(backend.memory.current).toBe(before);
    }
  });

  test("says in its progress whether accuracies are of the relaxed graph or of the discrete one", async () => {
    const given = await attackCase(createReference(), 13);
    const notes: string[] = [];
    await attack(name, given, { progress: { update: (_, __, note) => notes.push(note!) } });
    const isRelaxed = name === "prbcd" || name === "pgd";
    const expected = isRelaxed
      ? /^relaxed accuracy [01]\.\d{4}; the discrete one follows$/
      : /^discrete accuracy [01]\.\d{4}$/;
    expect(notes.length).toBeGreaterThan(0);
    const isPolish = (note: string) => /^polish: discrete accuracy [01]\.\d{4}$/.test(note);
    for (const note of notes.filter((note) => !isPolish(note))) expect(note).toMatch(expected);
    expect(notes.some(isPolish)).toBe((quick[name]["polish"] ?? 0) !== 0);
  });

  test("finds flips that the model falls for", async () => {
    const given = await attackCase(createReference(), 13, { numNodes: 40, density: 0.1 });
    const longer = {
      prbcd: { blockSize: 300, epochs: 30 },
      grbcd: { blockSize: 300, epochs: 10 },
      pgd: { epochs: 30 },
    };
    const task = { budget: 10, rng: new Rng(2) };
    const { accuracy } = await attack(name, given, task, longer[name as keyof typeof longer]);
    expect(accuracy.adversarial).toBeLessThan(0.9);
  });
});

describe("on the CPU backend", () => {
  const backends: Backend[] = [];
  beforeAll(async () => {
    for (const threads of [1, 2, 3]) backends.push(await createWasm({ threads }));
  });
  afterAll(() => Promise.all(backends.map((backend) => backend.close())));

  const wider: Record<string, object> = {
    prbcd: { blockSize: 5000 },
    grbcd: { blockSize: 5000 },
    pgd: { tileSize: 16_384 },
    fgsm: { tileSize: 16_384 },
  };
  test.each(names)("%s gives the same flips for any number of threads", async (name) => {
    const results = [];
    for (const backend of backends) {
      const given = await attackCase(backend, 14, { numNodes: 300, density: 0.02, config: { hidden: [16] } });
      given.view.adjacency.transposed; // made once and kept with the graph
      const before = backend.memory.current;
      results.push(await attack(name, given, { budget: 12, rng: new Rng(3) }, wider[name]));
      expect(backend.memory.current).toBe(before);
    }
    for (const { perturbation, trace } of results) {
      expect(perturbation).toEqual(results[0].perturbation);
      expect(trace).toEqual(results[0].trace);
    }
  });
});
