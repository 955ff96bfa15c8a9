import { describe, expect, test } from "vitest";
import { NumpyRandom } from "../data/numpy-random.ts";
import { minDegreeOf, selectNodes } from "./select-nodes.ts";

/** Nodes 100 … 199: node 100 + k has confidence k / 100, degree k mod 5, and the model is wrong about every tenth. */
function pool(size = 100) {
  const nodes = Int32Array.from({ length: size }, (_, k) => 100 + k);
  return {
    predictions: {
      nodes,
      predictions: Int32Array.from(nodes, (node) => (node % 10 === 3 ? 1 : 0)),
      confidences: Float32Array.from(nodes, (_, k) => k / size),
      margins: new Float32Array(size),
    },
    labelOf: () => 0,
    degreeOf: (node: number) => node % 5,
  };
}

describe("selectNodes", () => {
  test("takes the ten surest, the ten least sure and twenty of the rest", () => {
    const nodes = [...selectNodes(pool(), 2, new NumpyRandom(0))];
    expect(new Set(nodes).size).toBe(40);
    const suitable = Array.from({ length: 100 }, (_, k) => 100 + k).filter((n) => n % 5 >= 2 && n % 10 !== 3);
    expect(nodes.slice(0, 10)).toEqual(suitable.slice(-10).reverse());
    expect(nodes.slice(10, 20)).toEqual(suitable.slice(0, 10));
    const rest = suitable.slice(10, -10);
    const drawn = new NumpyRandom(0).sample(rest.length, 20);
    expect(nodes.slice(20)).toEqual(Array.from(drawn, (place) => rest[place]));
  });

  test("takes what there is of the rest, and refuses if too few nodes have edges enough", () => {
    expect(selectNodes(pool(70), 2, new NumpyRandom(0)).length).toBe(35); // 42 have the edges, seven of them are wrong
    expect(() => selectNodes(pool(60), 2, new NumpyRandom(0))).toThrow(
      "36 nodes have 2 or more edges, 40 are selected; name nodes with --nodes",
    );
  });

  test("goes on with the generator, so that the next selection is another one", () => {
    const random = new NumpyRandom(3);
    expect(selectNodes(pool(), 2, random)).not.toEqual(selectNodes(pool(), 2, random));
  });
});

describe("minDegreeOf", () => {
  test("truncates as the published code does", () => {
    expect([0.05, 0.1, 0.25, 0.5, 0.75, 1].map((share) => minDegreeOf({ share }))).toEqual([20, 10, 4, 2, 1, 1]);
  });
});
