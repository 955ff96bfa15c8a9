import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OpenedGraph } from "rgnn/lab";
import { nodeName, nodeNamed } from "../words.ts";
import { ClassChip } from "./class-chip.tsx";

interface EdgeByHandProps {
  readonly graph: OpenedGraph;
  readonly node: number;
  /** The node that was clicked in the picture. */
  readonly other: number | null;
  readonly isThere: (other: number) => boolean;
  readonly toggle: (other: number) => void;
  readonly visit: (other: number) => void;
}

/** Adds or removes one edge of the node, and the model answers at once. */
export function EdgeByHand({ graph, node, other: clicked, isThere, toggle, visit }: EdgeByHandProps) {
  const text = useSignal("");
  useEffect(() => {
    if (clicked !== null) text.value = nodeName(graph, clicked);
  }, [clicked]);
  const other = nodeNamed(graph, text.value);
  const isAllowed = other !== null && other !== node;
  return (
    <form
      class="by-hand"
      onSubmit={(event) => {
        event.preventDefault();
        if (isAllowed) toggle(other);
      }}
    >
      <label class="field">
        <span>Change an edge by hand: to node</span>
        <input
          value={text.value}
          autocomplete="off"
          placeholder="number, or click a node"
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </label>
      <button type="submit" disabled={!isAllowed}>
        {isAllowed && isThere(other) ? "Remove edge" : "Add edge"}
      </button>
      {isAllowed && (
        <p class="note">
          <ClassChip graph={graph} label={graph.labels[other]} />{" "}
          <button type="button" class="link" onClick={() => visit(other)}>
            go to node {nodeName(graph, other)}
          </button>
        </p>
      )}
      {text.value !== "" && other === null && <p class="note harm">There is no such node.</p>}
    </form>
  );
}
