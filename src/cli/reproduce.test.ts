import { describe, expect, test } from "vitest";
import { reproduceCommand } from "./reproduce.ts";

describe("rgnn reproduce", () => {
  const run = (...args: string[]) => reproduceCommand().parseAsync(args, { from: "user" });
  test("refuses parts of a table that it does not have, and lists those it has", async () => {
    await expect(run("strength", "--models", "gcn,mlp")).rejects.toThrow(
      'strength has no model "mlp"; it has gcn, gdc, soft-median-gdc,',
    );
    await expect(run("strength", "--attacks", "fgsm")).rejects.toThrow('strength has no attack "fgsm"; it has prbcd,');
    await expect(run("strength", "--epsilons", "0.2")).rejects.toThrow(
      'strength has no epsilon "0.2"; it has 0.05, 0.1, 0.25, 0.5, 1',
    );
    await expect(run("strength", "--datasets", "arxiv")).rejects.toThrow(
      'strength has no dataset "arxiv"; it has cora_ml',
    );
  });
  test("refuses to measure a table in parts that has none", async () => {
    await expect(run("direct", "--models", "gcn")).rejects.toThrow(
      "reproduce direct does not use --models; leave it out",
    );
  });
});
