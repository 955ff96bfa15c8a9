import { check } from "../core/errors.ts";
import type { CollectionEntry } from "../files/collection/collection.ts";
import { graphHash } from "../files/graph-hash.ts";
import type { AttackRun, VictimChoice } from "./attack-victim.ts";
import type { Session } from "./session.ts";

/** Throws where the flips of an attack would not be comparable with those of a collection. */
export function checkCollectable(session: Session, choice: VictimChoice): void {
  const { objective, constraints, poison, nodes, seed } = choice;
  const about = "a collection holds flips against the accuracy on all test nodes, under no constraint";
  check(objective === undefined || objective.name === "accuracy", () => `${about}; leave out --objective`);
  check(constraints === undefined, () => `${about}; leave out the constraints or --save-collection`);
  check(!poison, () => `${about}, of a model trained on the clean graph; leave out --poison`);
  const { test } = session.split(seed);
  const attacked = new Set(Array.from(nodes ?? test));
  const isWhole = attacked.size === test.length && test.every((node) => attacked.has(node));
  check(isWhole, () => `${about}; leave out --nodes`);
}

/** What a collection keeps of an attack. */
export function collectionEntry(session: Session, { report, result }: AttackRun): CollectionEntry {
  const { graph, ids } = session;
  const { budget, model, surrogate, attack, accuracy, seed, split, setting } = report;
  const { sources, targets } = result.perturbation.flips;
  return {
    graph: { name: session.dataset, sha256: graphHash(graph, session) },
    split: { name: split.name, seed, sha256: split.sha256 },
    budget,
    model,
    ...(setting === "transfer" && { surrogate }),
    attack,
    accuracy: { clean: accuracy.clean, adversarial: accuracy.adversarial },
    flips: Array.from(sources, (source, k) => [ids.idOf(source), ids.idOf(targets[k])] as const),
  };
}
