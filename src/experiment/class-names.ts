import type { ClassName } from "../files/nodes-file.ts";
import type { NodeSession } from "./node-session.ts";

/** Class names of the input; as numbers if all of them are integers. */
export function classNames({ classes }: Pick<NodeSession, "classes">): readonly ClassName[] {
  return classes.every((name) => /^-?\d{1,9}$/.test(name)) ? classes.map(Number) : classes;
}
