import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AttackTask } from "../src/attack/attack.ts";
import { countAllowed, listAllowed } from "../src/attack/constraints/allowed-pairs.ts";
import { Constraints } from "../src/attack/constraints/constraints.ts";
import { globalAttacks } from "../src/attack/global-attacks.ts";
import { resumeGrbcd } from "../src/attack/grbcd.ts";
import { accuracyObjective, marginObjective, type Objective, targetedAt } from "../src/attack/objective.ts";
import { createReference } from "../src/backend/reference/reference.ts";
import { createWasm } from "../src/backend/wasm/wasm.ts";
import { BudgetError } from "../src/core/errors.ts";
import { Rng } from "../src/core/rng.ts";
import { hasEntry } from "../src/graph/csr.ts";
import { applyFlips, type Flips } from "../src/graph/flips.ts";
import type { Graph } from "../src/graph/graph.ts";
import { anyRules, rulesFor } from "./support/any-constraints.ts";
import { type AttackCase, attackCase } from "./support/attack-case.ts";
import { type HostGcn, hostGcn } from "./support/dense-gcn.ts";
import { entropyObjective, hostScore } from "./support/host-score.ts";
import { quick } from "./support/quick-attacks.ts";

const names = Object.keys(globalAttacks);
const objectives: readonly Objective[] = [accuracyObjective, marginObjective, targetedAt(1), entropyObjective];

function attack(name: string, { model, view, nodes }: AttackCase, task: Partial<AttackTask>, options = {}) {
  const whole = { nodes, budget: 4, rng: new Rng(1), ...task };
  return globalAttacks[name].run(model, view, whole, { ...quick[name], ...options });
}

const namesOf = ({ sources, targets }: Flips) => Array.from(sources, (source, k) => `${source},${targets[k]}`);

/** B1 and B5: each pair once, allowed, and no node with more than its limit, counted here by hand. */
function expectWithin(flips: Flips, constraints: Constraints, budget: number): void {
  const { directed } = constraints.graph;
  expect(flips.sources.length).toBeLessThanOrEqual(budget);
  expect(new Set(namesOf(flips)).size).toBe(flips.sources.length);
  const counts = new Map<number, number>();
  for (const [k, i] of flips.sources.entries()) {
    const j = flips.targets[k];
    expect(directed ? i !== j : i < j).toBe(true);
    expect(constraints.allows(i, j)).toBe(true);
    for (const node of [i, j]) counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  for (const [node, count] of counts) expect(count).toBeLessThanOrEqual(constraints.limitOf(node));
}

const anyTask = fc.record({
  seed: fc.nat(1e6),
  directed: fc.boolean(),
  numNodes: fc.integer({ min: 9, max: 14 }),
  density: fc.constantFrom(0.15, 0.3, 0.6),
  budget: fc.integer({ min: 1, max: 8 }),
  rules: anyRules,
  objective: fc.constantFrom(...objectives),
});

describe.each(names)("%s", (name) => {
  test("keeps to any constraints, whatever it is after, and reports the score that its flips really have", async () => {
    await fc.assert(
      fc.asyncProperty(anyTask, async ({ seed, budget, rules, objective, ...options }) => {
        const backend = createReference();
        const given = await attackCase(backend, seed, options);
        const { graph, model, view } = given;
        const constraints = new Constraints(graph, rulesFor(graph, rules));
        const nodes = given.nodes.slice(0, 6);
        view.adjacency.transposed; // made once and kept with the graph
        const before = backend.memory.current;
        const task = { budget, nodes, rng: new Rng(seed), constraints, objective };
        if (countAllowed(constraints) === 0) {
          await expect(attack(name, given, task)).rejects.toThrow(BudgetError);
          return;
        }
        const { perturbation, score, accuracy } = await attack(name, given, task);
        expect(backend.memory.current).toBe(before);
        const { flips } = perturbation;
        expectWithin(flips, constraints, budget); // B1, B5
        const perturbed = applyFlips(graph, flips);
        expect(applyFlips(perturbed, flips).adjacency).toEqual(graph.adjacency); // B2
        const host = await hostGcn(model);
        expect(score.objective).toBe(objective.name);
        expect(score.clean).toBeCloseTo(hostScore(objective, host, graph, nodes), 6);
        expect(score.adversarial).toBeCloseTo(hostScore(objective, host, perturbed, nodes), 6); // B3
        expect(accuracy.adversarial * nodes.length).toBeCloseTo(
          hostScore(accuracyObjective, host, perturbed, nodes),
          6,
        );
      }),
      { numRuns: 25 },
    );
  });

  test("never does better than the best of all flips that its constraints allow", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          seed: fc.nat(1e6),
          directed: fc.boolean(),
          numNodes: fc.integer({ min: 4, max: 7 }),
          budget: fc.integer({ min: 1, max: 2 }),
          rules: anyRules,
          objective: fc.constantFrom(...objectives),
        }),
        async ({ seed, budget, rules, objective, ...options }) => {
          const given = await attackCase(createReference(), seed, { ...options, density: 0.4 });
          const constraints = new Constraints(given.graph, rulesFor(given.graph, rules));
          fc.pre(countAllowed(constraints) > 0);
          const best = bestOfAll(objective, await hostGcn(given.model), given, constraints, budget);
          const { score } = await attack(name, given, { budget, rng: new Rng(seed), constraints, objective });
          expect(score.adversarial).toBeGreaterThanOrEqual(best - 1e-6);
        },
      ),
      { numRuns: 8 },
    );
  });

  test("gives the same flips for the same seed under constraints", async () => {
    const given = await attackCase(createReference(), 3, { numNodes: 20 });
    const rules = [{ perNode: 0.5 }, { only: "removals" }, { between: [range(0, 8), range(6, 18)] }] as const;
    for (const rule of rules) {
      const constraints = new Constraints(given.graph, rule);
      const run = () => attack(name, given, { rng: new Rng(5), constraints });
      expect((await run()).perturbation).toEqual((await run()).perturbation);
    }
  });

  test("refuses constraints that allow nothing, and those of another graph", async () => {
    const given = await attackCase(createReference(), 3);
    const nothing = new Constraints(given.graph, { between: [[0], [0]] });
    await expect(attack(name, given, { constraints: nothing })).rejects.toThrow(
      `${name}: the constraints allow 0 of 91 pairs to be flipped; allow some`,
    );
    const { graph } = await attackCase(createReference(), 3, { numNodes: 9 });
    await expect(attack(name, given, { constraints: new Constraints(graph, {}) })).rejects.toThrow(
      "the constraints are those of another graph",
    );
  });

  test("returns fewer flips than its budget where fewer are allowed", async () => {
    const given = await attackCase(createReference(), 3);
    const constraints = new Constraints(given.graph, { between: [[0, 1], [4]] });
    const { perturbation } = await attack(name, given, { budget: 9, constraints });
    expectWithin(perturbation.flips, constraints, 2);
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, k) => from + k);
}

/** The lowest score of at most two flips, by trying all of them. */
function bestOfAll(
  objective: Objective,
  model: HostGcn,
  { graph, nodes }: AttackCase,
  constraints: Constraints,
  budget: number,
): number {
  const { sources, targets } = listAllowed(constraints);
  const scoreOf = (...places: number[]) => {
    const flips = {
      sources: Int32Array.from(places, (k) => sources[k]),
      targets: Int32Array.from(places, (k) => targets[k]),
    };
    if (constraints.firstViolation(flips) !== null) return Number.POSITIVE_INFINITY;
    return hostScore(objective, model, applyFlips(graph, flips), nodes);
  };
  let best = scoreOf();
  for (let a = 0; a < sources.length; a++) {
    best = Math.min(best, scoreOf(a));
    for (let b = a + 1; budget > 1 && b < sources.length; b++) best = Math.min(best, scoreOf(a, b));
  }
  return best;
}

describe("PR-BCD", () => {
  const options = { blockSize: 60, epochs: 16, fineTuneEpochs: 4 };

  test("judges epochs by the flips that constraints permit, if asked to", async () => {
    const given = await attackCase(createReference(), 13, { numNodes: 30, density: 0.1 });
    const constraints = new Constraints(given.graph, { perNode: 1 });
    const task = { budget: 8, rng: new Rng(2), constraints };
    const { perturbation, accuracy } = await attack("prbcd", given, task, { ...options, bestBy: "discrete" });
    expectWithin(perturbation.flips, constraints, 8);
    expect(accuracy.adversarial).toBeLessThan(1);
  });

  test("finds the edges to remove where most pairs are no edges", async () => {
    const given = await attackCase(createReference(), 13, { numNodes: 60, density: 0.05 });
    const constraints = new Constraints(given.graph, { only: "removals" });
    expect(countAllowed(constraints)).toBeGreaterThan(options.blockSize); // blocks are drawn from the edges
    const { perturbation, accuracy } = await attack("prbcd", given, { budget: 12, constraints }, options);
    expect(perturbation.flips.sources.length).toBe(12);
    expect(allEdges(given.graph, perturbation.flips)).toBe(true);
    expect(accuracy.adversarial).toBeLessThan(1);
  });

  test("spends its budget within the limits of hubs and leaves", async () => {
    const given = await attackCase(createReference(), 13, { numNodes: 40, density: 0.15 });
    const constraints = new Constraints(given.graph, { perNode: 0.25 });
    const { perturbation, trace } = await attack("prbcd", given, { budget: 20, constraints }, options);
    expectWithin(perturbation.flips, constraints, 20);
    expect(perturbation.flips.sources.length).toBeGreaterThan(10);
    expect(trace.every(({ mass }) => mass !== undefined)).toBe(true);
  });
});

function allEdges({ adjacency }: Graph, { sources, targets }: Flips): boolean {
  return sources.every((source, k) => hasEntry(adjacency, source, targets[k]));
}

test("GR-BCD does not go on from flips that constraints forbid", async () => {
  const { model, view, nodes, graph } = await attackCase(createReference(), 3);
  const constraints = new Constraints(graph, { protectedNodes: [1] });
  const from = { sources: Int32Array.of(0), targets: Int32Array.of(1) };
  const refused = resumeGrbcd(model, view, { nodes, budget: 3, rng: new Rng(0), constraints }, from);
  await expect(refused).rejects.toThrow("go against the constraints: pair (0, 1) may not be flipped");
});

test.each(names)("%s finds the same flips on the CPU within constraints, for any number of threads", async (name) => {
  const rules = [
    { perNode: 0.5, only: "additions" },
    { only: "removals", protectedNodes: [0, 1] },
  ] as const;
  const wider: Record<string, object> = {
    prbcd: { blockSize: 500 },
    grbcd: { blockSize: 500 },
    pgd: { tileSize: 16_384 },
    fgsm: { tileSize: 16_384 },
  };
  const results: (readonly Flips[])[] = [];
  for (const threads of [1, 3]) {
    const backend = await createWasm({ threads });
    const given = await attackCase(backend, 14, { numNodes: 200, density: 0.03, config: { hidden: [16] } });
    const found: Flips[] = [];
    for (const rule of rules) {
      const constraints = new Constraints(given.graph, rule);
      const task = { budget: 12, rng: new Rng(3), constraints };
      const { perturbation } = await attack(name, given, task, wider[name]);
      expectWithin(perturbation.flips, constraints, 12);
      found.push(perturbation.flips);
    }
    results.push(found);
    await backend.close();
  }
  expect(results[1]).toEqual(results[0]);
});
