import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SeenNode } from "rgnn/lab";
import { hashOf } from "../route.ts";
import { count, counted, nodeName } from "../words.ts";
import type { Workbench } from "../workbench.ts";
import { ClassChip } from "./class-chip.tsx";
import { flipActions } from "./flip-actions.ts";
import { FlipList } from "./flip-list.tsx";

/** The node that was clicked: what the model says about it, its neighbours, and the flips that tipped it. */
export function NodeCard({ bench, node, close }: { bench: Workbench; node: number; close: () => void }) {
  const graph = bench.graph.value!;
  const model = bench.model.value;
  const attack = bench.attack.value;
  const seen = useSignal<SeenNode | null>(null);
  const point = attack?.points[bench.point.value];
  const made = attack?.flips.slice(0, 2 * (point?.flips ?? 0)) ?? [];
  useEffect(() => {
    let isCurrent = true;
    const request = { graph: graph.graph, node, flips: made, ...(model && { model: model.model }) };
    bench.lab.call("node", request).then(
      (answer) => {
        if (isCurrent) seen.value = answer;
      },
      () => {}, // the graph was closed meanwhile: there is nothing to show
    );
    return () => {
      isCurrent = false;
    };
  }, [graph, model, attack, node, bench.point.value]);
  const about = seen.value?.node === node ? seen.value : null;
  return (
    <section class="card node-card" aria-label={`Node ${nodeName(graph, node)}`}>
      <header>
        <h2>Node {nodeName(graph, node)}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={close}>
          ✕
        </button>
      </header>
      <dl>
        <dt>True class</dt>
        <dd>
          <ClassChip graph={graph} label={graph.labels[node]} />
        </dd>
        {about?.answers && (
          <>
            <dt>Predicted</dt>
            <dd>
              <ClassChip graph={graph} label={about.answers.clean.prediction} />
              {about.answers.flipped.prediction !== about.answers.clean.prediction && (
                <>
                  {" → "}
                  <ClassChip graph={graph} label={about.answers.flipped.prediction} />
                </>
              )}
            </dd>
            <dt>Margin</dt>
            <dd>
              {about.answers.clean.margin.toFixed(2)}
              {made.length > 0 && ` → ${about.answers.flipped.margin.toFixed(2)}`}
            </dd>
          </>
        )}
        <dt>Neighbours</dt>
        <dd>{about ? neighbourText(bench, about) : "…"}</dd>
      </dl>
      {about && about.tipping.length > 0 && (
        <>
          <h3>{counted(about.tipping.length / 2, "flip")} tipped it</h3>
          <FlipList graph={graph} node={node} flips={about.tipping} actions={flipActions(about.tipping, about)} />
        </>
      )}
      <a class="button" href={hashOf({ view: "node", node })}>
        Attack this node
      </a>
    </section>
  );
}

function neighbourText(bench: Workbench, { degree, node, surroundings }: SeenNode): string {
  const { labels } = bench.graph.value!;
  const { edges, actions } = surroundings;
  let same = 0;
  for (const [k, action] of actions.entries()) {
    const source = edges[2 * k];
    const target = edges[2 * k + 1];
    if (action === "add" || (source !== node && target !== node)) continue;
    if (labels[source] === labels[target]) same++;
  }
  return `${count(degree)}, ${count(same)} of the same class`;
}
