import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { localAttacks } from "../src/attack/local/local-attacks.ts";
import type { LocalResult } from "../src/attack/local/local-result.ts";
import type { LocalTask } from "../src/attack/local/local-task.ts";
import type { Backend } from "../src/backend/backend.ts";
import { createReference } from "../src/backend/reference/reference.ts";
import { createWasm } from "../src/backend/wasm/wasm.ts";
import { BudgetError } from "../src/core/errors.ts";
import { Rng } from "../src/core/rng.ts";
import { hasEntry } from "../src/graph/csr.ts";
import { rowDegrees } from "../src/graph/degrees.ts";
import { applyFlips, flipActions } from "../src/graph/flips.ts";
import { checkGraph } from "../src/graph/graph.ts";
import { Mlp, mlpDefaults } from "../src/nn/models/mlp.ts";
import { entryNames } from "./support/any-graph.ts";
import { type AttackCase, type AttackCaseOptions, attackCase } from "./support/attack-case.ts";
import { denseOf } from "./support/dense.ts";
import { denseFeatures, denseGcnLogits, hostGcn } from "./support/dense-gcn.ts";

const names = Object.keys(localAttacks);
/** These find their flips on a linear model. */
const onLinear = names.filter((name) => localAttacks[name].surrogate !== null);

/** A case whose model the attack can use: the linear ones attack undirected graphs. */
function caseFor(name: string, backend: Backend, seed: number, options: AttackCaseOptions = {}): Promise<AttackCase> {
  if (!onLinear.includes(name)) return attackCase(backend, seed, options);
  const config = { ...options.config, activation: "identity" } as const;
  return attackCase(backend, seed, { ...options, directed: false, config });
}

async function attack(name: string, given: AttackCase, task: Partial<LocalTask> = {}, options = {}) {
  const whole: LocalTask = { nodes: [0, 3, 5], budget: { flips: 2 }, rng: new Rng(1), ...task };
  const results: LocalResult[] = [];
  for await (const result of localAttacks[name].run(given.model, given.view, whole, options)) results.push(result);
  return results;
}

const anyCase = fc.record({
  seed: fc.nat(1e6),
  directed: fc.boolean(),
  numNodes: fc.integer({ min: 6, max: 10 }),
  density: fc.constantFrom(0.1, 0.3, 0.6),
  budget: fc.integer({ min: 1, max: 4 }),
  influence: fc.constantFrom("direct", "influencer", "both"),
});

describe.each(names)("%s", (name) => {
  test("returns flips at the node or its neighbours, within the budget, and what they really do", async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ seed, budget, influence, ...options }) => {
        const given = await caseFor(name, createReference(), seed, options);
        const { graph } = given;
        const flips = name === "exhaustive" ? 1 : budget;
        const results = await attack(name, given, { budget: { flips }, influence, rng: new Rng(seed) });
        expect(results.map(({ node }) => node)).toEqual([0, 3, 5]);
        for (const result of results) {
          expectAllowed(given, result, flips);
          const perturbed = checkGraph(applyFlips(graph, result.perturbation.flips));
          expect(entryNames(applyFlips(perturbed, result.perturbation.flips).adjacency)).toEqual(
            entryNames(graph.adjacency), // B2
          );
          const host = await hostGcn(given.model);
          const logits = denseGcnLogits(host, denseOf(perturbed.adjacency), denseFeatures(graph))[result.node];
          const others = logits.filter((_, c) => c !== result.label);
          expect(result.adversarial.margin).toBeCloseTo(logits[result.label] - Math.max(...others), 5); // B3
          expect(result.clean.correct).toBe(true);
          expect(result.success).toBe(!result.adversarial.correct);
          expect(result.adversarial.probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 10);
        }
      }),
      { numRuns: 15 },
    );
  });

  test("attacks each node on its own: the others do not matter", async () => {
    const given = await caseFor(name, createReference(), 3);
    const together = await attack(name, given, { nodes: [2, 7, 4], budget: { flips: 1 } });
    const [alone] = await attack(name, given, { nodes: [7], budget: { flips: 1 } });
    expect(together[1].perturbation).toEqual(alone.perturbation);
    expect(together[1].adversarial).toEqual(alone.adversarial);
  });

  test("attacks the places of the list that it is asked for, each when the last is finished", async () => {
    const given = await caseFor(name, createReference(), 3);
    const whole = await attack(name, given, { nodes: [2, 7, 4], budget: { flips: 1 } });
    const asked: number[] = [];
    function* places() {
      for (const place of [2, 0]) {
        asked.push(place);
        yield place;
      }
    }
    const task = { nodes: [2, 7, 4], budget: { flips: 1 }, rng: new Rng(1), places: places() };
    const found: LocalResult[] = [];
    for await (const result of localAttacks[name].run(given.model, given.view, task)) {
      found.push(result);
      expect(asked.length).toBe(found.length);
    }
    expect(found.map(({ perturbation }) => perturbation)).toEqual([whole[2].perturbation, whole[0].perturbation]);
  });

  test("can be asked for a class, and says whether the node got it", async () => {
    const given = await caseFor(name, createReference(), 5, { numNodes: 12 });
    const present = new Set(given.graph.labels);
    for (const towards of [0, 1, 2].filter((c) => present.size > 1 || !present.has(c))) {
      const nodes = given.nodes.filter((node) => given.graph.labels[node] !== towards).slice(0, 3);
      const results = await attack(name, given, { nodes, towards, budget: { flips: 1 } });
      for (const { success, adversarial } of results) expect(success).toBe(adversarial.prediction === towards);
    }
    const { labels } = given.graph;
    await expect(attack(name, given, { nodes: [0], towards: labels[0] })).rejects.toThrow(
      `${name}: node 0 is of class ${labels[0]} already; attack it towards another`,
    );
    await expect(attack(name, given, { nodes: [0], towards: 9 })).rejects.toThrow("must be in 0 … 2, got 9");
  });

  test("spends a share of the degree, half-way cases to the even number", async () => {
    const given = await caseFor(name, createReference(), 7, { numNodes: 12 });
    const results = await attack(name, given, { nodes: given.nodes.slice(0, 6), budget: { share: 0.25 } });
    for (const { degree, budget, perturbation } of results) {
      expect(budget).toBe([0, 0, 0, 1, 1, 1, 2, 2][degree]); // 0.25 · 2 = 0.5 → 0, 0.25 · 6 = 1.5 → 2
      if (budget === 0) expect(perturbation.flips.sources.length).toBe(0);
    }
  });

  test("gives the same flips for the same seed, and all its memory back", async () => {
    const backend = createReference();
    const given = await caseFor(name, backend, 9);
    await attack(name, given, { budget: { flips: 1 } }); // makes what is kept with the graph
    const before = backend.memory.current;
    const task = { budget: { flips: 1 } };
    const strip = (results: LocalResult[]) => results.map(({ seconds: _, ...rest }) => rest);
    expect(strip(await attack(name, given, task))).toEqual(strip(await attack(name, given, task)));
    await attack(name, given, { nodes: [99] }).catch(() => {});
    await attack(name, given, {}, { nonsense: 1 }).catch(() => {});
    expect(backend.memory.current).toBe(before);
  });

  test("gives its memory back if nobody waits for the rest", async () => {
    const backend = createReference();
    const given = await caseFor(name, backend, 9);
    await attack(name, given, { budget: { flips: 1 } });
    const before = backend.memory.current;
    const task = { nodes: [0, 3, 5], budget: { flips: 1 }, rng: new Rng(1) };
    for await (const { node } of localAttacks[name].run(given.model, given.view, task)) if (node === 0) break;
    expect(backend.memory.current).toBe(before);
  });

  test("keeps what is finished when it is ended, and counts finished nodes", async () => {
    const given = await caseFor(name, createReference(), 9);
    const controller = new AbortController();
    const seen: [number, number][] = [];
    const progress = {
      update(done: number, total: number) {
        seen.push([done, total]);
        if (done === 2) controller.abort();
      },
    };
    const results = await attack(name, given, { budget: { flips: 1 }, progress, signal: controller.signal });
    expect(results.map(({ node }) => node)).toEqual([0, 3]);
    expect(seen).toEqual([
      [1, 3],
      [2, 3],
    ]);
    expect(await attack(name, given, { signal: AbortSignal.abort() })).toEqual([]);
  });

  test("refuses budgets, nodes and options that mean nothing", async () => {
    const given = await caseFor(name, createReference(), 9);
    for (const flips of [-1, 1.5, Number.NaN]) {
      await expect(attack(name, given, { budget: { flips } })).rejects.toThrow(BudgetError);
    }
    await expect(attack(name, given, { budget: { share: -0.5 } })).rejects.toThrow(BudgetError);
    await expect(attack(name, given, { nodes: [] })).rejects.toThrow(`${name}: there are no nodes to attack`);
    await expect(attack(name, given, { nodes: [99] })).rejects.toThrow("node 99 must be in 0 … 13");
    await expect(attack(name, given, {}, { blocksize: 3 })).rejects.toThrow(`${name}: unknown option "blocksize"`);
    for (const option of Object.keys(localAttacks[name].options)) {
      await expect(attack(name, given, {}, { [option]: -1 })).rejects.toThrow(`${name}: ${option} must be`);
    }
  });

  test("finds the fewest flips that it can, none of which can be spared", async () => {
    const given = await caseFor(name, createReference(), 13, { numNodes: 16, density: 0.2 });
    const most = name === "exhaustive" ? 1 : 6;
    const results = await attack(name, given, { nodes: given.nodes, budget: { flips: most, minimal: true } });
    const host = await hostGcn(given.model);
    for (const { node, label, success, perturbation } of results) {
      const { sources, targets } = perturbation.flips;
      if (!success) continue;
      for (const left of sources.keys()) {
        const rest = { sources: sources.filter((_, k) => k !== left), targets: targets.filter((_, k) => k !== left) };
        const { adjacency } = applyFlips(given.graph, rest);
        const logits = denseGcnLogits(host, denseOf(adjacency), denseFeatures(given.graph))[node];
        expect(logits.indexOf(Math.max(...logits))).toBe(label);
      }
    }
    expect(results.some(({ success }) => success)).toBe(true);
  });
});

describe("exhaustive", () => {
  test("with a budget of one is never beaten, with any influence and towards any class", async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, fc.constantFrom(null, 0, 1), async ({ seed, influence, ...options }, goal) => {
        const config = { activation: "identity" } as const;
        const given = await attackCase(createReference(), seed, { ...options, directed: false, config });
        const nodes = given.nodes.filter((node) => given.graph.labels[node] !== goal).slice(0, 3);
        fc.pre(nodes.length > 0);
        const task = { nodes, influence, budget: { flips: 1 }, ...(goal !== null && { towards: goal }) };
        const best = await attack("exhaustive", given, task);
        for (const name of names) {
          for (const [k, other] of (await attack(name, given, task)).entries()) {
            expect(distance(best[k])).toBeLessThanOrEqual(distance(other) + 1e-6);
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  test("with a budget of two does at least as well as any two flips", async () => {
    const given = await caseFor("nettack", createReference(), 17, { numNodes: 12 });
    const best = await attack("exhaustive", given, { budget: { flips: 2 } });
    for (const name of names) {
      for (const [k, other] of (await attack(name, given, { budget: { flips: 2 } })).entries()) {
        expect(best[k].adversarial.margin).toBeLessThanOrEqual(other.adversarial.margin + 1e-6);
      }
    }
  });

  test("refuses larger budgets, and more evaluations than are allowed", async () => {
    const given = await attackCase(createReference(), 17);
    await expect(attack("exhaustive", given, { budget: { flips: 3 } })).rejects.toThrow(
      "exhaustive: tries at most 2 flips, got a budget of 3 for node 0",
    );
    await expect(attack("exhaustive", given, { budget: { flips: 2 } }, { mostTrials: 50 })).rejects.toThrow(
      /exhaustive: node 0 needs 91 evaluations, about \d+ s here, more than mostTrials 50; allow them with --option mostTrials=91/,
    );
  });

  test("refuses a budget before it begins, wherever in the list its node is", async () => {
    const given = await attackCase(createReference(), 17, { numNodes: 30, density: 0.3 });
    const degrees = rowDegrees(given.graph.adjacency);
    const few = degrees.indexOf(Math.min(...degrees));
    const many = degrees.indexOf(Math.max(...degrees));
    expect([Math.round(degrees[few] / 4) <= 2, Math.round(degrees[many] / 4) > 2]).toEqual([true, true]);
    const task = { nodes: [few, many], budget: { share: 0.25 }, rng: new Rng(0) };
    const results = localAttacks["exhaustive"].run(given.model, given.view, task);
    await expect(results.next()).rejects.toThrow(`for node ${many}; give --budget 1 or 2`);
  });
});

describe("fga", () => {
  test("refuses models that are not differentiable by edges", async () => {
    const given = await attackCase(createReference(), 12);
    const sizes = { features: given.graph.numFeatures, classes: given.graph.numClasses };
    const model = new Mlp(createReference(), sizes, mlpDefaults, new Rng(0));
    await expect(attack("fga", { ...given, model: model as never })).rejects.toThrow(
      "fga: mlp cannot be differentiated by edges",
    );
  });
});

describe("a victim other than the model", () => {
  test.each(onLinear)("is what the results of %s are about", async (name) => {
    const backend = createReference();
    const linear = await caseFor(name, backend, 21);
    const { model: victim, graph } = await attackCase(backend, 22);
    const [result] = await attack(name, linear, { nodes: [1], victim });
    const host = await hostGcn(victim);
    const perturbed = applyFlips(linear.graph, result.perturbation.flips);
    const logits = denseGcnLogits(host, denseOf(perturbed.adjacency), denseFeatures(linear.graph))[1];
    expect(result.adversarial.prediction).toBe(logits.indexOf(Math.max(...logits)));
    expect(graph.numNodes).toBe(linear.graph.numNodes);
  });
});

describe("on the CPU backend", () => {
  const backends: Backend[] = [];
  beforeAll(async () => {
    for (const threads of [1, 3]) backends.push(await createWasm({ threads }));
  });
  afterAll(() => Promise.all(backends.map((backend) => backend.close())));

  test.each(names)("%s gives the same flips for any number of threads", async (name) => {
    const found = [];
    for (const backend of backends) {
      const given = await caseFor(name, backend, 14, { numNodes: 120, density: 0.05, config: { hidden: [16] } });
      const results = await attack(name, given, { budget: { flips: name === "exhaustive" ? 1 : 4 } });
      found.push(results.map(({ perturbation, adversarial }) => ({ perturbation, adversarial })));
    }
    expect(found[1]).toEqual(found[0]);
  });
});

/** How far the goal is after the attack, as exhaustive measures it. */
function distance({ adversarial, towards }: LocalResult): number {
  if (towards === null) return adversarial.margin;
  const logs = Array.from(adversarial.probabilities, Math.log);
  return Math.max(...logs.filter((_, c) => c !== towards)) - logs[towards];
}

/** Rules B1 and B4. */
function expectAllowed({ graph }: AttackCase, result: LocalResult, budget: number): void {
  const { node, influence, perturbation, neighbourhood } = result;
  const { sources, targets } = perturbation.flips;
  expect(sources.length).toBeLessThanOrEqual(budget);
  const pairs = Array.from(sources, (source, k) => [source, targets[k]] as const);
  expect(new Set(pairs.map(String)).size).toBe(pairs.length);
  for (const [a, b] of pairs) {
    const ends = graph.directed ? [a] : [a, b];
    const atNode = ends.includes(node);
    const atNeighbour = ends.some((end) => hasEntry(graph.adjacency, node, end));
    if (influence === "direct") expect(atNode).toBe(true);
    if (influence === "influencer") expect([atNeighbour, a === node || b === node]).toEqual([true, false]);
    expect(atNode || atNeighbour).toBe(true);
  }
  const changed = neighbourhood.edges.filter(({ action }) => action !== null);
  expect(changed.map(({ action }) => action).sort()).toEqual(flipActions(graph, perturbation.flips).sort());
}
