import { join } from "node:path";
import { describe, expect } from "vitest";
import { python, testWithNumpy } from "../../test/support/python.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { loadGraph } from "./load.ts";

/** The path 0-1-2-3, and node 4 alone. */
const PROGRAM = `
import sys, numpy as np, scipy.sparse as sp, scipy.io
folder = sys.argv[1]
A = sp.csr_matrix(([1.0, 1.0, 1.0], ([0, 1, 2], [1, 2, 3])), shape=(5, 5))
X = np.array([[1, 0], [0, 2], [3, 0], [0, 4], [5, 6]])
for form in ["csr", "csc", "coo"]:
    sp.save_npz(f"{folder}/{form}.npz", A.asformat(form))
    np.save(f"{folder}/{form}.features.npy", X)
    np.save(f"{folder}/{form}.labels.npy", np.array(["b", "a", "b", "a", "a"]))
scipy.io.mmwrite(f"{folder}/market.mtx", A)
sp.save_npz(f"{folder}/market.features.npz", sp.csr_matrix(X))
np.savetxt(f"{folder}/market.labels.txt", [3, 7, 3, 7, 7], fmt="%d")
np.savez(f"{folder}/pickled.npz", adj=A, features=sp.csc_matrix(X), labels=np.array(["b", "a", "b", "a", None], dtype=object))
`;

describe("what Python programs write", () => {
  testWithNumpy("is read: scipy's matrices, with features and labels beside them, and pickled ones", async () => {
    const folder = temporaryFolder();
    python(PROGRAM, folder);
    const classes = { market: ["3", "7"], csr: ["a", "b"], csc: ["a", "b"], coo: ["a", "b"], pickled: ["a", "b"] };
    for (const [name, expected] of Object.entries(classes)) {
      const path = join(folder, name === "market" ? "market.mtx" : `${name}.npz`);
      const loaded = await loadGraph(path);
      const { graph } = loaded;
      expect([name, graph.numNodes, graph.numEdges, graph.numFeatures, loaded.classes]).toEqual([
        name,
        4,
        3,
        2,
        expected,
      ]);
      expect([...graph.labels]).toEqual(name === "market" ? [0, 1, 0, 1] : [1, 0, 1, 0]);
    }
  });
});
