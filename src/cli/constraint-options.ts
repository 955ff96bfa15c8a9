import { statSync } from "node:fs";
import type { Command } from "commander";
import type { ConstraintRules } from "../attack/constraints/constraints.ts";
import { check } from "../core/errors.ts";
import type { Session } from "../experiment/session.ts";
import { readNodeSet, readPairs } from "../files/node-sets.ts";
import { nodeList } from "./node-list.ts";
import { realNumber } from "./number-options.ts";
import { GROUPS } from "./options.ts";

/** The flags that say which flips an attack may make. */
export interface ConstraintFlags {
  readonly only?: string;
  readonly perNode?: number;
  readonly protectNodes?: string;
  readonly protectEdges?: string;
  readonly between?: string;
}

const SETS = ["test", "train", "val", "all"] as const;

/** Adds the options of {@link ConstraintFlags}. */
export function constraintOptions(command: Command): Command {
  return command
    .optionsGroup(GROUPS.flips)
    .option("--per-node <share>", "most flips at a node, as a share of its degree", realNumber)
    .option("--only <kind>", "additions or removals of edges; both by default")
    .option(
      "--protect-nodes <nodes>",
      "flip nothing at these nodes: ids, a set such as train, or a file with an id per line",
    )
    .option("--protect-edges <file>", "do not flip these pairs: a csv with source,target")
    .option(
      "--between <nodes:nodes>",
      "only flip pairs with one end in each of two sets, such as 0,5:test or a.txt:b.txt",
    );
}

/** The constraints that the flags ask for, on the graph of a session; undefined without any of them. */
export function constraintRules(session: Session, seed: number, flags: ConstraintFlags): ConstraintRules | undefined {
  const { only, perNode, protectNodes, protectEdges, between } = flags;
  check(
    only === undefined || only === "additions" || only === "removals",
    () => `--only must be additions or removals, got "${only}"`,
  );
  check(perNode === undefined || perNode >= 0, () => `--per-node must be a share of the degree, got ${perNode}`);
  const nodes = (flag: string, text: string) => nodesOf(session, seed, flag, text);
  const rules: ConstraintRules = {
    ...(only && { only }),
    ...(perNode !== undefined && { perNode }),
    ...(protectNodes !== undefined && { protectedNodes: nodes("--protect-nodes", protectNodes) }),
    ...(protectEdges !== undefined && { protectedEdges: readPairs(protectEdges, session.ids) }),
    ...(between !== undefined && { between: setsOf(between, (text) => nodes("--between", text)) }),
  };
  return Object.keys(rules).length > 0 ? rules : undefined;
}

function setsOf(text: string, nodesOf: (text: string) => Int32Array): readonly [Int32Array, Int32Array] {
  const sides = text.split(":");
  check(sides.length === 2, () => `--between must be two sets of nodes such as 0,5:test, got "${text}"`);
  return [nodesOf(sides[0]), nodesOf(sides[1])];
}

/** The nodes of a set such as `train`, of a file of ids, or of a list of ids. */
function nodesOf(session: Session, seed: number, flag: string, text: string): Int32Array {
  const isFile = statSync(text, { throwIfNoEntry: false })?.isFile() ?? false;
  if (isFile && !SETS.some((set) => set === text)) return readNodeSet(text, session.ids);
  return nodeList(session, seed, text, SETS, flag);
}
