import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const folder = join(import.meta.dirname, "..", "examples");
const programs = readdirSync(folder).filter((file) => file.endsWith(".ts"));

/** Pairs of accuracies that a program printed: clean, attacked. */
async function accuracies(program: string): Promise<[number, number][]> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, program)]);
  return Array.from(stdout.matchAll(/accuracy: ([\d.]+) clean, ([\d.]+) attacked/g), ([, clean, attacked]) => [
    Number(clean),
    Number(attacked),
  ]);
}

describe("the examples", { timeout: 120_000 }, () => {
  test.each(programs.filter((program) => program !== "transfer-an-attack.ts"))(
    "%s runs, and its attack succeeds",
    async (program) => {
      const [[clean, attacked]] = (await accuracies(program)) as [[number, number]];
      expect(clean).toBeGreaterThan(0.6);
      expect(attacked).toBeLessThan(clean - 0.04);
    },
  );

  test("transfer-an-attack.ts runs, and its flips fool the models that see edges", async () => {
    const [gcn, gat, mlp] = await accuracies("transfer-an-attack.ts");
    for (const [clean, attacked] of [gcn!, gat!]) expect(attacked).toBeLessThan(clean - 0.02);
    expect(mlp![1]).toBe(mlp![0]);
  });

  test("fit on one screen and are listed on their page", () => {
    const page = readFileSync(join(folder, "README.md"), "utf8");
    for (const program of programs) {
      expect(readFileSync(join(folder, program), "utf8").split("\n").length).toBeLessThanOrEqual(60);
      expect(page).toContain(`[${program}](${program})`);
    }
  });
});
