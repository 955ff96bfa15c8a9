import { describe, expect, test } from "vitest";
import { UserError } from "../../core/errors.ts";
import { benchCommand } from "./bench.ts";

describe("rgnn bench", () => {
  test("refuses an unknown name and lists the known ones", async () => {
    const run = () => benchCommand().parseAsync(["speed"], { from: "user" });
    await expect(run()).rejects.toThrow(UserError);
    await expect(run()).rejects.toThrow(/^unknown benchmark "speed"; known are kernels, .*ceilings/);
  });
  test("refuses options that a benchmark has no use for", async () => {
    const run = (...args: string[]) => benchCommand().parseAsync(args, { from: "user" });
    await expect(run("ceilings", "--shape", "arxiv")).rejects.toThrow(
      "bench ceilings has no --shape; train, attack, auto, polish, local, certify have",
    );
    await expect(run("polish", "--shape", "citeseer")).rejects.toThrow(
      'bench: unknown shape "citeseer"; known are cora_ml, pubmed, arxiv',
    );
  });
  test("lists the benchmarks in its help", () => {
    let help = "";
    const command = benchCommand().configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    expect(help).toContain("ceilings   bandwidth and multiply-add rate of the machine");
  });
});
