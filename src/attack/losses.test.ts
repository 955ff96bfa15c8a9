import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectValues, rowsOf } from "../../test/support/dense.ts";
import { expectGradient } from "../../test/support/expect-gradient.ts";
import { randomTensor } from "../../test/support/random-tensor.ts";
import { createReference } from "../backend/reference/reference.ts";
import { IntTensor, type Tensor, tensor, valueAndGrad } from "../tensor/index.ts";
import { type AttackLoss, ce, cw, farMargin, lossByName, lossNames, mce, tanhMargin } from "./losses.ts";

const backend = createReference();

/** Value of a loss and its gradient by the logits, one row per node. */
async function lossAt(loss: AttackLoss, logits: readonly (readonly number[])[], labels: readonly number[]) {
  const z = tensor(backend, logits.flat(), [logits.length, logits[0].length]);
  const { value, grads } = valueAndGrad(() => [loss(z, IntTensor.from(backend, labels))], [z]);
  return { value: await value.item(), gradient: await rowsOf(grads[0]) };
}

const softmax = (z: readonly number[]) => {
  const total = z.reduce((sum, x) => sum + Math.exp(x), 0);
  return z.map((x) => Math.exp(x) / total);
};
const logSumExp = (z: readonly number[]) => Math.log(z.reduce((sum, x) => sum + Math.exp(x), 0));

/** Value of each loss for one node, and its derivative by the logit of the true, the strongest wrong and the other class. */
type Row = (z: readonly number[]) => readonly [number, readonly [number, number, number]];
const bothWays = (slope: number): [number, number, number] => [-slope, slope, 0];
const byHand: Record<string, Row> = {
  ce: (z) => {
    const p = softmax(z);
    return [logSumExp(z) - z[0], [p[0] - 1, p[1], p[2]]];
  },
  margin: ([right, wrong]) => [wrong! - right!, bothWays(1)],
  cw: ([right, wrong]) => [Math.min(wrong! - right!, 0), bothWays(right! > wrong! ? 1 : 0)],
  nce: (z) => {
    const p = softmax(z);
    return [z[1] - logSumExp(z), [-p[0], 1 - p[1], -p[2]]];
  },
  "elu-margin": ([right, wrong]) => {
    const mu = right! - wrong!;
    return mu > 0 ? [-mu, bothWays(1)] : [1 - Math.exp(mu), bothWays(Math.exp(mu))];
  },
  "tanh-margin": ([right, wrong]) => [Math.tanh(wrong! - right!), bothWays(1 - Math.tanh(right! - wrong!) ** 2)],
  lcw: ([right, wrong]) => {
    const slope = right! > wrong! ? 1 : 0.1;
    return [slope * (wrong! - right!), bothWays(slope)];
  },
};

/** A node that is right, one that is wrong; the true class is 0, the strongest wrong one 1. */
const nodes = [
  [2, 0.5, -1],
  [-0.25, 1, 0.75],
] as const;

describe.each(Object.keys(byHand))("%s", (name) => {
  test("is the mean of the table's values over the nodes", async () => {
    const { value } = await lossAt(lossByName(name), nodes, [0, 0]);
    expect(value).toBeCloseTo((byHand[name](nodes[0])[0] + byHand[name](nodes[1])[0]) / 2, 12);
  });
  test("has the table's gradient, divided by the number of nodes", async () => {
    const { gradient } = await lossAt(lossByName(name), nodes, [0, 0]);
    for (const [i, node] of nodes.entries()) {
      for (const [c, slope] of byHand[name](node)[1].entries()) expect(gradient[i][c]).toBeCloseTo(slope / 2, 12);
    }
  });
});

describe("mce", () => {
  test("is the cross-entropy of the nodes that are right, and only they have a gradient", async () => {
    const { value, gradient } = await lossAt(mce, nodes, [0, 0]);
    const [expected, slopes] = byHand["ce"](nodes[0]);
    expect(value).toBeCloseTo(expected, 12);
    for (const [c, slope] of slopes.entries()) expect(gradient[0][c]).toBeCloseTo(slope, 12);
    expect(gradient[1].map(Math.abs)).toEqual([0, 0, 0]);
  });
  test("is 0 with gradient 0 once no node is right", async () => {
    const { value, gradient } = await lossAt(mce, nodes, [2, 2]);
    expect(Math.abs(value)).toBe(0);
    expect(gradient.flat().every((slope) => slope === 0)).toBe(true);
  });
});

describe("the far margin", () => {
  const slopesOfRight = async (margins: readonly number[]) => {
    const logits = margins.map((mu) => [mu, 0]);
    const { gradient } = await lossAt(
      farMargin,
      logits,
      margins.map(() => 0),
    );
    return gradient.map(([slope]) => -slope!);
  };

  test("is the tanh margin and a twentieth of the mean margin of the nodes that are right", async () => {
    const { value } = await lossAt(farMargin, nodes, [0, 0]);
    const tanh = (await lossAt(tanhMargin, nodes, [0, 0])).value;
    expect(value).toBeCloseTo(0.95 * tanh - 0.05 * 1.5, 12);
  });
  test("pulls at a node far from the boundary the more, the fewer are right", async () => {
    const [many] = await slopesOfRight([20, 20, 20, 20]);
    const [one, ...lost] = await slopesOfRight([20, -20, -20, -20]);
    expect(many).toBeCloseTo(0.05 / 4, 12);
    expect(one).toBeCloseTo(0.05, 12);
    for (const slope of lost) expect(Math.abs(slope)).toBeLessThan(1e-12);
  });
  test("has no gradient once all nodes are lost for certain", async () => {
    expect((await slopesOfRight([-30, -40])).every((slope) => Math.abs(slope) < 1e-12)).toBe(true);
  });
});

describe("every loss", () => {
  const names = [...lossNames, "tanh-margin-cw-0.3", "tanh-margin-mce-0.75"];
  test.each(names)("%s has the gradient that finite differences predict", async (name) => {
    const labels = IntTensor.from(backend, [0, 1, 2, 3, 0]);
    const logits = randomTensor(backend, [5, 4], 3); // away from the kinks, which have measure 0
    await expectGradient((z: Tensor) => lossByName(name)(z, labels), [logits], 5);
  });
  test.each(names)("%s takes the strongest wrong class, whatever the order of the classes", async (name) => {
    const { value } = await lossAt(lossByName(name), [[0.3, 2, 1, -1]], [2]);
    const turned = await lossAt(lossByName(name), [[1, -1, 0.3, 2]], [0]);
    expect(turned.value).toBeCloseTo(value, 12);
  });
});

describe("lossByName", () => {
  test("blends two losses by the share in the name", async () => {
    const [tanh, other, mixed] = await Promise.all(
      ["tanh-margin", "mce", "tanh-margin-mce-0.25"].map((name) => lossAt(lossByName(name), nodes, [0, 0])),
    );
    expect(mixed!.value).toBeCloseTo(0.25 * tanh!.value + 0.75 * other!.value, 12);
  });
  test("lists the known names for one that is not", () => {
    expect(() => lossByName("tanh")).toThrow(
      'unknown loss "tanh"; known are ce, margin, cw, nce, elu-margin, mce, tanh-margin, tanh-cw, far-margin, lcw',
    );
  });
  test("refuses a share outside of [0, 1]", () => {
    expect(() => lossByName("tanh-margin-cw-1.5")).toThrow("the share must be in [0, 1], got 1.5");
    expect(() => lossByName("tanh-margin-cw-.")).toThrow("the share must be in [0, 1]");
  });
});

/** Loss and ∂L/∂z of the true class of one node with logits (μ/2, −μ/2). */
async function pull(name: string, mu: number): Promise<{ value: number; slope: number }> {
  const { value, gradient } = await lossAt(lossByName(name), [[mu / 2, -mu / 2]], [0]);
  return { value, slope: gradient[0][0] };
}

/** Whether `ys` gets strictly larger from each entry to the next. */
const rises = (ys: readonly number[]) => ys.every((y, k) => k === 0 || y > ys[k - 1]);

describe("properties of the losses for two classes", () => {
  const right = [0.1, 0.4, 0.8, 1.3, 1.9]; // margins μ of growing confidence ψ = tanh(μ/2)
  const wrong = right.map((mu) => -mu);
  const slopes = (name: string, mus: readonly number[]) =>
    Promise.all(mus.map(async (mu) => (await pull(name, mu)).slope));

  // I: no pull on nodes that are lost; o: it fades away from the boundary.
  test.each(
    Object.entries({ ce: "-", margin: "-", cw: "+", nce: "o", "elu-margin": "o", mce: "+", "tanh-margin": "o" }),
  )("I for %s: %s", async (name, expected) => {
    const near = await slopes(name, wrong);
    const far = (await pull(name, -40)).slope;
    const found = near.every((slope) => slope === 0) ? "+" : Math.abs(far) < 1e-12 ? "o" : "-";
    expect(found).toBe(expected);
  });
  // II: among nodes that are right, those near the boundary are pulled most. (The paper's "+" for NCE does not hold.)
  test.each(Object.entries({ ce: "+", margin: "-", cw: "-", "elu-margin": "-", mce: "+", "tanh-margin": "+" }))(
    "II for %s: %s",
    async (name, expected) => {
      expect(rises(await slopes(name, right)) ? "+" : "-").toBe(expected);
    },
  );
  // A: a node that is lost for certain adds a bounded amount.
  test.each(
    Object.entries({ ce: "-", margin: "-", cw: "+", nce: "+", "elu-margin": "+", mce: "+", "tanh-margin": "+" }),
  )("A for %s: %s", async (name, expected) => {
    const growth = (await pull(name, -400)).value - (await pull(name, -200)).value;
    expect(Math.abs(growth) < 1e-9 ? "+" : "-").toBe(expected);
  });
  // B: the pull is strongest at the boundary and fades on both sides, without ever vanishing; o: on one side only.
  test.each(
    Object.entries({ ce: "o", margin: "-", cw: "-", nce: "o", "elu-margin": "o", mce: "o", "tanh-margin": "+" }),
  )("B for %s: %s", async (name, expected) => {
    const sides = await Promise.all([right, wrong].map((mus) => slopes(name, mus)));
    const holds = sides.filter((side) => rises([...side, 0])).length;
    expect("-o+"[holds]).toBe(expected);
  });
});

describe("attacking the nodes in the order of their pull", () => {
  /** A node with a margin and what it costs to attack it: the more confident the model, the more. */
  const anyNodes = (min: number) =>
    fc.record({
      margins: fc.uniqueArray(
        fc.integer({ min, max: 30 }).filter((mu) => mu !== 0),
        { minLength: 1, maxLength: 12 },
      ),
      budget: fc.double({ min: 0, max: 6, noNaN: true }),
    });
  const cost = (mu: number) => Math.tanh(Math.abs(mu) / 20);

  /** How many right nodes fall if the budget is spent in the order of the loss's gradient, most negative first. */
  async function flipped(loss: AttackLoss, margins: readonly number[], budget: number): Promise<number> {
    const { gradient } = await lossAt(
      loss,
      margins.map((mu) => [mu / 20, -mu / 20]),
      margins.map(() => 0),
    );
    const order = margins.map((_, i) => i).sort((i, j) => gradient[i][0] - gradient[j][0]);
    let left = budget;
    let count = 0;
    for (const i of order) {
      left -= cost(margins[i]);
      if (left < 0) break;
      if (margins[i] > 0) count++;
    }
    return count;
  }

  /** The most right nodes that any set of attacked nodes within budget holds. */
  function most(margins: readonly number[], budget: number): number {
    let best = 0;
    for (let set = 0; set < 1 << margins.length; set++) {
      const members = margins.filter((_, i) => set & (1 << i));
      const total = members.reduce((sum, mu) => sum + cost(mu), 0);
      if (total <= budget) best = Math.max(best, members.filter((mu) => mu > 0).length);
    }
    return best;
  }

  test("flips as many as possible with a loss that has properties I and II", async () => {
    await fc.assert(
      fc.asyncProperty(anyNodes(-30), async ({ margins, budget }) => {
        expect(await flipped(mce, margins, budget)).toBe(most(margins, budget));
      }),
      { numRuns: 50 },
    );
  });
  test("flips as many as possible with the tanh margin while no node is lost", async () => {
    await fc.assert(
      fc.asyncProperty(anyNodes(1), async ({ margins, budget }) => {
        expect(await flipped(tanhMargin, margins, budget)).toBe(most(margins, budget));
      }),
      { numRuns: 50 },
    );
  });
  test("wastes the budget on lost nodes with cross-entropy", async () => {
    const margins = [-30, 4];
    const budget = 0.95;
    expect(most(margins, budget)).toBe(1);
    expect(await flipped(ce, margins, budget)).toBe(0);
  });
  test("wastes the budget on confident nodes with Carlini and Wagner's loss", async () => {
    const margins = [30, 4];
    const budget = 0.5;
    expect(most(margins, budget)).toBe(1);
    expect(await flipped(cw, margins, budget)).toBe(0);
  });
});

test("a loss of logits with equal entries is finite", async () => {
  const z = tensor(backend, [0, 0, 0], [1, 3]);
  for (const name of lossNames) {
    await expectValues(lossByName(name)(z, IntTensor.from(backend, [1])), [
      { ce: Math.log(3), nce: -Math.log(3) }[name] ?? 0,
    ]);
  }
});
