import type { OpenedGraph } from "rgnn/lab";
import { hashOf } from "../route.ts";
import { nodeName } from "../words.ts";
import { ClassChip } from "./class-chip.tsx";

interface FlipListProps {
  readonly graph: OpenedGraph;
  readonly flips: readonly number[];
  readonly actions: readonly ("add" | "remove")[];
  /** The node that the list is about: of a flip at this node, only the other end is named. */
  readonly node: number;
}

/** A list of flips in words. */
export function FlipList({ graph, flips, actions, node }: FlipListProps) {
  return (
    <ol class="flips">
      {actions.map((action, k) => {
        const source = flips[2 * k];
        const target = flips[2 * k + 1];
        const isHere = source === node || target === node;
        const other = source === node ? target : source;
        return (
          <li key={`${source},${target}`} class={action}>
            <span class="action">{action === "add" ? "add edge" : "remove edge"}</span>{" "}
            {isHere ? "to " : <NodeLink graph={graph} node={target} />}
            {isHere ? "" : " – "}
            <NodeLink graph={graph} node={other} /> <ClassChip graph={graph} label={graph.labels[other]} />
          </li>
        );
      })}
    </ol>
  );
}

export function NodeLink({ graph, node }: { graph: OpenedGraph; node: number }) {
  return <a href={hashOf({ view: "node", node })}>{nodeName(graph, node)}</a>;
}
