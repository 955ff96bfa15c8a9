import { localAttacks } from "../../attack/local/local-attacks.ts";
import { checkLocalBudget } from "../../attack/local/local-budget.ts";
import { localPrbcdOnRows } from "../../attack/local/local-prbcd.ts";
import type { LocalResult } from "../../attack/local/local-result.ts";
import { check, lookup } from "../../core/errors.ts";
import { resolveOptions } from "../../core/options/index.ts";
import { silent } from "../../core/progress.ts";
import { NumpyRandom } from "../../data/numpy-random.ts";
import { attackRng } from "../../defense/build-model.ts";
import { PushPool } from "../../files/store/push-pool.ts";
import type { Pprgo } from "../../nn/models/pprgo.ts";
import { localReport } from "../local-report.ts";
import { localBudget, type NodeAttackChoice, type NodeBudgetChoice } from "../node-attack-choice.ts";
import { nodesToLead } from "../nodes-to-lead.ts";
import type { LocalAttackRun } from "../run-node-attacks.ts";
import { sampleNodes } from "../sample-split.ts";
import { minDegreeOf, selectNodes } from "../select-nodes.ts";
import { checkModel, type NamedChoice, nameModel, openModel, type RunWatch, trainIfNeeded } from "../trained-model.ts";
import { attackedStore, rowSource } from "./attacked-store.ts";
import type { StoreSession } from "./store-session.ts";

/** Attacks that read rows only. */
const ON_ROWS = ["local-prbcd"];

/** Most test nodes that nodes to attack are selected from: each one costs a push. */
const POOL = 4000;

/**
 * Attacks nodes of a graph store one after the other, with each of the choices and budgets. Rows of PageRank are pushed
 * on all cores; memory holds only the block and its rows. If interrupted, it keeps the nodes that are finished.
 */
export async function* attackStoreNodes(
  session: StoreSession,
  choices: readonly NodeAttackChoice[],
  budgets: readonly NodeBudgetChoice[],
  watch: RunWatch = {},
): AsyncGenerator<LocalAttackRun> {
  for (const given of choices) {
    checkModel(session, given);
    checkChoice(session, given);
  }
  for (const budget of budgets) checkLocalBudget(localBudget(budget));
  for (const given of choices) {
    const choice = nameModel(given);
    const built = openModel(session, choice, watch);
    const pool = PushPool.open(session.store, session.threads);
    try {
      await trainIfNeeded(session, built, choice, watch);
      const attack: StoreAttack = { session, choice, model: built.model as Pprgo, pool };
      for (const budget of budgets) {
        yield await attackWith(attack, budget, watch);
        if (watch.signal?.aborted) return;
      }
    } finally {
      await pool.close();
      built.model.dispose();
    }
  }
}

function checkChoice(
  { store }: StoreSession,
  { attack, options = {}, surrogate, poison, influence }: NodeAttackChoice,
): void {
  const kind = lookup(localAttacks, attack, "attack");
  resolveOptions(attack, kind.options, options);
  check(
    ON_ROWS.includes(attack),
    () => `${store.folder}: ${attack} needs the whole graph in memory; on a graph store there is ${ON_ROWS.join(", ")}`,
  );
  check(
    surrogate === undefined && !poison,
    () => `${store.folder}: --surrogate and --poison need the whole graph in memory`,
  );
  check(
    influence === undefined || influence === "direct",
    () => `${store.folder}: nodes of a graph store are attacked at the node itself; leave out --influence ${influence}`,
  );
}

/** A model on a store, whose nodes are attacked. */
interface StoreAttack {
  readonly session: StoreSession;
  readonly choice: NamedChoice<NodeAttackChoice>;
  readonly model: Pprgo;
  readonly pool: PushPool;
}

async function attackWith(attack: StoreAttack, budget: NodeBudgetChoice, watch: RunWatch): Promise<LocalAttackRun> {
  const { session, choice, model, pool } = attack;
  const { progress = silent, signal } = watch;
  const asked = choice.nodes ? Int32Array.from(choice.nodes) : await select(attack, budget, watch);
  const labelOf = new Map(Array.from(await labelsFor(attack, asked, watch), (label, k) => [asked[k], label]));
  const nodes = nodesToLead(
    asked,
    asked.map((node) => labelOf.get(node)!),
    choice,
    watch,
  );
  check(nodes.length > 0, () => `${choice.attack}: there are no nodes to attack`);
  const graph = attackedStore(
    session.store,
    nodes.map((node) => labelOf.get(node)!),
  );
  const task = {
    nodes,
    budget: localBudget(budget),
    rng: attackRng(choice.seed),
    ...(choice.towards !== undefined && { towards: choice.towards }),
    ...(signal && { signal }),
  };
  session.backend.memory.resetPeak();
  const begin = performance.now();
  const results: LocalResult[] = [];
  let successes = 0;
  progress.update(0, nodes.length, `${nodes.length} nodes`);
  for await (const result of localPrbcdOnRows(model, graph, task, choice.options, rowSource(pool, model))) {
    results.push(result);
    if (result.success) successes++;
    progress.update(results.length, nodes.length, `succeeded for ${successes} of ${results.length} nodes`);
  }
  const seconds = (performance.now() - begin) / 1000;
  const cost = { seconds, threads: 1, peakBytes: session.backend.memory.peak };
  return { results, report: localReport(session, { choice, cost }, budget, results, nodes.length) };
}

/** Selects nodes as the published experiments do, but from a sample of the test nodes. */
async function select({ session, choice, model }: StoreAttack, budget: NodeBudgetChoice, watch: RunWatch) {
  const { store } = session;
  const test = sampleNodes(session.split(choice.seed).test, POOL, choice.seed);
  const pool = {
    predictions: await session.predict(model, test, watch),
    labelOf: (node: number) => store.labels([node])[0],
    degreeOf: (node: number) => store.degree(node),
  };
  return selectNodes(pool, minDegreeOf(localBudget(budget)), new NumpyRandom(choice.seed));
}

/** Labels of the nodes to attack; a node without one gets the class that the model predicts. */
async function labelsFor({ session, model }: StoreAttack, nodes: Int32Array, watch: RunWatch): Promise<Int32Array> {
  const { store } = session;
  const labels = store.labels(nodes);
  const unknown = nodes.filter((_, t) => labels[t] < 0);
  if (unknown.length > 0) {
    watch.warn?.(
      `${unknown.length} of ${nodes.length} nodes have no label: the class that is predicted is taken for it`,
    );
    const { predictions } = await session.predict(model, unknown);
    let next = 0;
    for (let t = 0; t < labels.length; t++) if (labels[t] < 0) labels[t] = predictions[next++];
  }
  return labels;
}
