import { expect, test } from "vitest";
import { accuracyCell, averageRobustness } from "./average-robustness.ts";
import type { RobustnessResult } from "./robustness.ts";

function resultWith(clean: number, attacked: number): RobustnessResult {
  const row = { attack: "dice", epsilon: 0.1, numFlips: 798, seconds: 2, accuracy: { gcn: attacked, mlp: 0.5 } };
  return { clean: { gcn: clean, mlp: 0.5 }, rows: [row], interrupted: false };
}

test("comparisons with several seeds are averaged row by row and model by model", () => {
  const { mean, standardError } = averageRobustness([resultWith(0.75, 0.5), resultWith(0.875, 0.25)]);
  expect(mean).toEqual(resultWith(0.8125, 0.375));
  expect(standardError).toEqual({ clean: { gcn: 0.0625, mlp: 0 }, rows: [{ accuracy: { gcn: 0.125, mlp: 0 } }] });
});

test("one seed has no standard errors, and cells leave them out", () => {
  const { standardError } = averageRobustness([resultWith(0.75, 0.5)]);
  expect(standardError.clean).toEqual({ gcn: null, mlp: null });
  expect([accuracyCell(0.75, null), accuracyCell(0.75, 0.0125)]).toEqual(["0.750", "0.750 ± 0.013"]);
});
