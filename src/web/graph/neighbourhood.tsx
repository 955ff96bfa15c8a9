import type { OpenedGraph, Surroundings } from "rgnn/lab";
import { isDark } from "../theme.ts";
import { className, nodeName } from "../words.ts";
import { classColour, paletteFor } from "./palette.ts";
import { placeRadially, RING } from "./radial.ts";

interface NeighbourhoodProps {
  readonly graph: OpenedGraph;
  readonly surroundings: Surroundings;
  /** The class that the model gives to the node in the middle; null if unknown. */
  readonly prediction: number | null;
  readonly chosen: number | null;
  readonly nodeClicked: (node: number) => void;
}

const SIZES = [15, 9, 4.5];

/** A node and its surroundings. Every node is a button; the node and its neighbours can be reached by keyboard too. */
export function Neighbourhood({ graph, surroundings, prediction, chosen, nodeClicked }: NeighbourhoodProps) {
  const palette = paletteFor(isDark.value);
  const placed = placeRadially(surroundings, graph.labels);
  const placeOf = new Map(placed.map((each) => [each.node, each]));
  const { edges, actions } = surroundings;
  const half = 2 * RING + 34;
  const middle = surroundings.nodes[0];
  const isWrong = prediction !== null && prediction !== graph.labels[middle];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold shapes
    <svg
      class="neighbourhood"
      viewBox={`${-half} ${-half} ${2 * half} ${2 * half}`}
      role="group"
      aria-label={`Node ${nodeName(graph, middle)} and its neighbours`}
    >
      {actions.map((action, k) => {
        const from = placeOf.get(edges[2 * k])!;
        const to = placeOf.get(edges[2 * k + 1])!;
        const kind = action ?? (from.ring + to.ring <= 1 ? "near" : "far");
        return (
          <line key={`${edges[2 * k]},${edges[2 * k + 1]}`} class={kind} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
        );
      })}
      {isWrong && <circle class="tipped" r={SIZES[0] + 7} />}
      {placed.map(({ node, x, y, ring }) => {
        const name = nodeName(graph, node);
        const text = `Node ${name}, ${className(graph, graph.labels[node])}`;
        return (
          // biome-ignore lint/a11y/useSemanticElements: there are no buttons inside an SVG
          <g
            key={node}
            role="button"
            tabIndex={ring < 2 ? 0 : -1}
            aria-label={text}
            class={node === chosen ? "node chosen" : "node"}
            transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
            onClick={() => nodeClicked(node)}
            onKeyDown={(event) => {
              if (event.key === "Enter" || event.key === " ") nodeClicked(node);
            }}
          >
            <title>{text}</title>
            <circle r={SIZES[ring]} fill={classColour(palette, graph.labels[node])} />
            {ring < 2 && (
              <text y={ring === 0 ? 32 : 22} text-anchor="middle">
                {name}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
