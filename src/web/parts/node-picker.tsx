import { useSignal } from "@preact/signals";
import type { OpenedGraph } from "rgnn/lab";
import { nodeName, nodeNamed } from "../words.ts";

interface NodePickerProps {
  readonly graph: OpenedGraph;
  /** The chosen node. */
  readonly node: number | null;
  readonly chosen: (node: number) => void;
  /** Returns another node worth looking at; without it there is no button for that. */
  readonly example?: () => number;
}

/** Finds a node by its id. */
export function NodePicker({ graph, node, chosen, example }: NodePickerProps) {
  const problem = useSignal<string | null>(null);
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get("node"));
    const found = nodeNamed(graph, text);
    problem.value = found === null ? `There is no node “${text}”. ${range(graph)}` : null;
    if (found !== null) chosen(found);
  };
  return (
    <form class="picker" onSubmit={search}>
      <label class="field">
        <span>Node</span>
        <input
          name="node"
          defaultValue={node === null ? "" : nodeName(graph, node)}
          autocomplete="off"
          inputMode={graph.ids ? "text" : "numeric"}
        />
      </label>
      <button type="submit">Go</button>
      {example && (
        <button type="button" onClick={() => chosen(example())}>
          Another
        </button>
      )}
      {problem.value && (
        <p class="note harm" role="alert">
          {problem.value}
        </p>
      )}
    </form>
  );
}

function range(graph: OpenedGraph): string {
  if (graph.ids) return `The first is called “${nodeName(graph, 0)}”.`;
  return `Nodes have the numbers 0 to ${graph.numNodes - 1}.`;
}
