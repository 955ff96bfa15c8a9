import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalResult } from "../../attack/local/local-result.ts";
import { tanhMargin } from "../../attack/losses.ts";
import { BudgetError } from "../../core/errors.ts";
import { buildModel, trainModel } from "../../defense/build-model.ts";
import { type NodeAttack, type NodeWork, workInTurn } from "../attack-in-turn.ts";
import type { NodeAttackChoice } from "../node-attack-choice.ts";
import { openSession, type Session } from "../session.ts";
import { nodeJob } from "./node-job.ts";
import { attackSideBySide } from "./side-by-side.ts";
import { threadsFor } from "./threads-for.ts";

const quick = { hidden: [8], maxEpochs: 15 };
const NODES = [1700, 3, 2000, 42, 999, 17, 2500];

describe("attackSideBySide", { timeout: 120_000 }, () => {
  let session: Session;
  const models = new Map<string, NodeAttack["victim"]>();
  beforeAll(async () => {
    session = await openSession({ dataset: "synthetic-citation", threads: 1 });
    for (const model of ["gcn", "linear-gcn", "pprgo"]) {
      const choice = {
        model,
        seed: 0,
        set: model === "gcn" ? quick : { ...quick, ...(model === "pprgo" && { k: 16 }) },
      };
      const built = buildModel(session, choice);
      await trainModel(built, choice, session.view, session.split(0));
      models.set(model, built.model);
    }
  });
  afterAll(async () => {
    for (const model of models.values()) model.dispose();
    await session.close();
  });

  function attackOf(choice: Omit<NodeAttackChoice, "seed" | "model">, model = "gcn", surrogate = model): NodeAttack {
    const victim = models.get(model)!;
    const named = { ...choice, seed: 0, model, set: quick };
    return { opened: session, choice: named, victim, surrogate: models.get(surrogate)! };
  }

  const work = (flips: number, nodes = NODES): NodeWork => ({ nodes, budget: { flips } });

  async function inTurn(attack: NodeAttack, what: NodeWork) {
    const results: LocalResult[] = [];
    for await (const result of workInTurn(attack, what)) results.push(result);
    return withoutTimes(results);
  }

  async function sideBySide(attack: NodeAttack, what: NodeWork, threads: number, signal?: AbortSignal) {
    const results: LocalResult[] = [];
    const job = (await nodeJob(attack, what))!;
    for await (const result of attackSideBySide(job, threads, { signal })) results.push(result);
    return withoutTimes(results);
  }

  test("gives what one thread gives, in the order of the nodes, whatever the number of threads", async () => {
    const attack = attackOf({ attack: "local-prbcd", options: { epochs: 8, evaluations: 20, loss: tanhMargin } });
    const expected = await inTurn(attack, work(2));
    expect(expected.map(({ node }) => node)).toEqual(NODES);
    for (const threads of [1, 3]) expect(await sideBySide(attack, work(2), threads)).toEqual(expected);
  });

  test("knows victims of every kind, and surrogates beside them", async () => {
    const attack = attackOf({ attack: "nettack", towards: 1, influence: "both" }, "pprgo", "linear-gcn");
    const what = work(
      1,
      NODES.filter((node) => session.graph.labels[node] !== 1),
    );
    expect(await sideBySide(attack, what, 2)).toEqual(await inTurn(attack, what));
  });

  test("trains poisoned victims there, for an attack or for flips that were found before", async () => {
    const dice = { attack: "local-dice" };
    const expected = await inTurn(attackOf({ ...dice, poison: true }), work(2));
    expect(await sideBySide(attackOf({ ...dice, poison: true }), work(2), 2)).toEqual(expected);
    const found = (await inTurn(attackOf(dice), work(2))) as LocalResult[];
    expect(await sideBySide(attackOf(dice), { ...work(2), found }, 2)).toEqual(expected);
  });

  test("throws the mistake of the first node that has one, as it was thrown", async () => {
    const attack = attackOf({ attack: "exhaustive" });
    const message = `exhaustive: tries at most 2 flips, got a budget of 3 for node ${NODES[0]}`;
    const failed = sideBySide(attack, work(3), 3);
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toBeInstanceOf(BudgetError);
    await expect(sideBySide(attack, work(1, [99_999]), 1)).rejects.toThrow("node 99999 must be in 0 … 2809");
  });

  test("gives back the nodes that are finished when it is ended, and stops soon", async () => {
    const attack = attackOf({ attack: "exhaustive" });
    const controller = new AbortController();
    const nodes = Array.from({ length: 1000 }, (_, node) => node);
    const job = (await nodeJob(attack, work(1, nodes)))!;
    const finished: number[] = [];
    const results: LocalResult[] = [];
    const watch = {
      signal: controller.signal,
      finished({ node }: LocalResult) {
        finished.push(node);
        if (finished.length === 4) controller.abort();
      },
    };
    for await (const result of attackSideBySide(job, 2, watch)) results.push(result);
    expect(results.map(({ node }) => node)).toEqual(nodes.slice(0, results.length));
    expect(finished.sort((a, b) => a - b)).toEqual(nodes.slice(0, results.length));
    expect(results.length).toBeGreaterThanOrEqual(4);
    expect(results.length).toBeLessThan(100);
    expect(results.filter(({ interrupted }) => interrupted).length).toBeLessThanOrEqual(2);
  });

  test("ends its threads if nobody waits for the rest", async () => {
    const job = (await nodeJob(attackOf({ attack: "exhaustive" }), work(1)))!;
    const started: Worker[] = [];
    const note = (worker: Worker) => started.push(worker);
    process.on("worker", note);
    for await (const { node } of attackSideBySide(job, 2)) {
      expect(node).toBe(NODES[0]);
      break;
    }
    process.removeListener("worker", note);
    expect(started.map(({ threadId }) => threadId)).toEqual([-1, -1]); // that of a thread that has ended
  });

  test("is not offered an attack with a function of a program's own", async () => {
    const options = { loss: (...args: Parameters<typeof tanhMargin>) => tanhMargin(...args) };
    expect(await nodeJob(attackOf({ attack: "local-prbcd", options }), work(1))).toBeNull();
  });
});

describe("threadsFor", () => {
  test("starts no threads for a few nodes, and no more than have nodes", () => {
    expect(threadsFor({ threads: 8 }, 9)).toBe(1);
    expect(threadsFor({ threads: 1 }, 1000)).toBe(1);
    expect(threadsFor({ threads: 2 }, 1000)).toBeLessThanOrEqual(2);
    expect(threadsFor({ threads: 1_000_000 }, 10)).toBeLessThanOrEqual(5);
  });
});

function withoutTimes(results: readonly LocalResult[]) {
  return results.map(({ seconds: _, ...rest }) => ({ ...rest, seconds: 0 }));
}
