import { afterAll, beforeAll, describe } from "vitest";
import type { Backend } from "../../src/backend/backend.ts";
import { activeMatrixCases } from "./cases/active-matrix.ts";
import { convolveCases } from "./cases/convolve.ts";
import { elementwiseCases } from "./cases/elementwise.ts";
import { flipTrialsCases } from "./cases/flip-trials.ts";
import { indexedRowsCases } from "./cases/indexed-rows.ts";
import { localPageRankCases } from "./cases/local-page-rank.ts";
import { matmulCases } from "./cases/matmul.ts";
import { pairCases } from "./cases/pairs.ts";
import { reductionCases } from "./cases/reductions.ts";
import { robustCases } from "./cases/robust.ts";
import { rowCases } from "./cases/rows.ts";
import { samplePairsCases } from "./cases/sample-pairs.ts";
import { selectionCases } from "./cases/selection.ts";
import { sideBySideCases } from "./cases/side-by-side.ts";
import { sparseCases } from "./cases/sparse.ts";
import { storageCases } from "./cases/storage.ts";
import { wholeRowsCases } from "./cases/whole-rows.ts";
import { Contract, type SuiteOptions } from "./contract.ts";

const CASES = [
  storageCases,
  elementwiseCases,
  rowCases,
  wholeRowsCases,
  indexedRowsCases,
  reductionCases,
  matmulCases,
  sparseCases,
  localPageRankCases,
  convolveCases,
  robustCases,
  pairCases,
  selectionCases,
  samplePairsCases,
  activeMatrixCases,
  flipTrialsCases,
  sideBySideCases,
];

/**
 * Rule R2: runs every kernel on a backend and compares with the reference. What the backend cannot do is a list of test
 * names with reasons, which appear in the titles of the skipped tests.
 */
export function backendSuite(name: string, create: () => Promise<Backend> | Backend, options: SuiteOptions = {}): void {
  describe(`${name} backend`, () => {
    let backend: Backend;
    beforeAll(async () => {
      backend = await create();
    });
    afterAll(async () => {
      await backend.close();
    });
    const contract = new Contract(() => backend, options);
    for (const declare of CASES) declare(contract);
    contract.checkSkips();
  });
}
