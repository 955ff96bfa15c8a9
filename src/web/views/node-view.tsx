import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AttackedNode, ChangedPredictions, OpenedGraph, SeenNode, TrainedModel } from "rgnn/lab";
import { Neighbourhood } from "../graph/neighbourhood.tsx";
import { ClassBars } from "../parts/class-bars.tsx";
import { ClassChip } from "../parts/class-chip.tsx";
import { EdgeByHand } from "../parts/edge-by-hand.tsx";
import { flipActions } from "../parts/flip-actions.ts";
import { FlipList } from "../parts/flip-list.tsx";
import { NodePicker } from "../parts/node-picker.tsx";
import { Trouble } from "../parts/notice.tsx";
import { JobProgress } from "../parts/progress.tsx";
import { goTo, hashOf } from "../route.ts";
import { counted, nodeName } from "../words.ts";
import type { Workbench } from "../workbench.ts";

/** Attack this node: the fewest flips that change it, and edges changed by hand. */
export function NodeView({ bench, node: asked }: { bench: Workbench; node: number | null }) {
  const graph = bench.graph.value;
  const model = bench.model.value;
  const node = graph && asked !== null && asked < graph.numNodes ? asked : null;
  useEffect(() => {
    document.title = asked === null ? "Attack a node · rgnn" : `Node ${asked} · rgnn`;
  }, [asked]);
  useEffect(() => {
    if (graph && !model && !bench.job.value && !bench.error.value) bench.train(); // there is nothing to show before
  }, [graph, model, bench.job.value]);
  useEffect(() => {
    if (graph && model && node === null) location.replace(hashOf({ view: "node", node: goodExample(graph, model) }));
  }, [graph, model, node]);
  return (
    <main class="stage" id="main">
      {graph && model && node !== null ? (
        <OneNode key={`${model.model},${node}`} {...{ bench, graph, model, node }} />
      ) : (
        <>
          <div class="picture" />
          <aside class="panel" aria-label="Node">
            <Trouble bench={bench} />
            <h1 class="headline">One node, a few edges</h1>
            {bench.job.value && <JobProgress job={bench.job.value} />}
            {!bench.job.value && bench.error.value && graph && (
              <button type="button" class="primary" onClick={() => bench.train()}>
                Train {bench.setup.value.model}
              </button>
            )}
          </aside>
        </>
      )}
    </main>
  );
}

interface OneNodeProps {
  readonly bench: Workbench;
  readonly graph: OpenedGraph;
  readonly model: TrainedModel;
  readonly node: number;
}

function OneNode({ bench, graph, model, node }: OneNodeProps) {
  const flips = useSignal<readonly number[]>([]);
  const seen = useSignal<SeenNode | null>(null);
  const others = useSignal<ChangedPredictions | null>(null);
  const found = useSignal<AttackedNode | null>(null);
  const pointedAt = useSignal<number | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const request = { graph: graph.graph, model: model.model, node, flips: flips.value };
    const asking = Promise.all([
      bench.lab.call("node", request),
      bench.lab.call("predict", { model: model.model, flips: flips.value }),
    ]);
    asking.then(
      ([about, changed]) => {
        if (!isCurrent) return;
        seen.value = about;
        others.value = changed;
      },
      (error: Error) => {
        if (isCurrent) bench.error.value = error.message;
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [flips.value]);

  const toggle = (other: number) => {
    flips.value = toggled(flips.value, pairOf(graph, node, other));
  };
  const attack = () =>
    bench.run(`Looking for the fewest flips at node ${nodeName(graph, node)}`, async (options) => {
      const result = await bench.lab.call("attackNode", { model: model.model, node }, options);
      found.value = result;
      if (result.success) flips.value = result.flips;
    });
  const about = seen.value;
  const answers = about?.answers ?? null;
  return (
    <>
      <div class="picture">
        {about && (
          <Neighbourhood
            graph={graph}
            surroundings={about.surroundings}
            prediction={answers?.flipped.prediction ?? null}
            chosen={pointedAt.value}
            nodeClicked={(other) => {
              pointedAt.value = other === node ? null : other;
            }}
          />
        )}
        <p class="caption">
          Colours are true classes.{" "}
          {about && !about.surroundings.complete && "Only the nearest hundred nodes are drawn. "}
          Click a node to change its edge.
        </p>
      </div>
      <aside class="panel" aria-label="Node">
        <Trouble bench={bench} />
        <NodePicker
          graph={graph}
          node={node}
          chosen={(next) => goTo({ view: "node", node: next })}
          example={() => goodExample(graph, model)}
        />
        <NodeHeadline {...{ graph, node }} answers={answers} count={flips.value.length / 2} found={found.value} />
        {bench.job.value ? (
          <JobProgress job={bench.job.value} />
        ) : (
          <button type="button" class="primary" disabled={!answers?.clean.correct} onClick={attack}>
            Find the fewest flips
          </button>
        )}
        {answers && !answers.clean.correct && (
          <p class="note">The model has this node wrong already, so there is nothing to attack.</p>
        )}
        {answers && (
          <section class="card" aria-label="What the model says">
            <ClassBars graph={graph} before={answers.clean} after={answers.flipped} label={graph.labels[node]} />
            <p class="note">
              Margin {answers.clean.margin.toFixed(2)}
              {flips.value.length > 0 && ` → ${answers.flipped.margin.toFixed(2)}`}
              {others.value && flips.value.length > 0 && `; ${othersText(others.value, model, node)}`}
            </p>
          </section>
        )}
        <section class="card" aria-label="Changed edges">
          <h2>Changed edges</h2>
          {flips.value.length === 0 ? (
            <p class="note">None yet.</p>
          ) : (
            <>
              <FlipList graph={graph} node={node} flips={flips.value} actions={flipActions(flips.value, about)} />
              <button type="button" onClick={() => (flips.value = [])}>
                Undo all
              </button>
            </>
          )}
          <EdgeByHand
            graph={graph}
            node={node}
            other={pointedAt.value}
            isThere={(other) => isNeighbour(about, node, other)}
            toggle={toggle}
            visit={(other) => goTo({ view: "node", node: other })}
          />
        </section>
      </aside>
    </>
  );
}

interface NodeHeadlineProps {
  readonly graph: OpenedGraph;
  readonly node: number;
  readonly answers: SeenNode["answers"];
  readonly count: number;
  readonly found: AttackedNode | null;
}

function NodeHeadline({ graph, node, answers, count, found }: NodeHeadlineProps) {
  const name = nodeName(graph, node);
  if (!answers) return <h1 class="headline">Node {name}</h1>;
  const { clean, flipped } = answers;
  const isChanged = clean.prediction !== flipped.prediction;
  return (
    <div class="headline" aria-live="polite">
      <h1>
        {isChanged
          ? `${counted(count, "flip")} ${count === 1 ? "changes" : "change"} node ${name}`
          : `Node ${name} is ${clean.correct ? "right" : "wrong"}`}
      </h1>
      <p>
        <ClassChip graph={graph} label={clean.prediction} />
        {isChanged && (
          <>
            {" → "}
            <ClassChip graph={graph} label={flipped.prediction} />
          </>
        )}
      </p>
      {found && !found.success && (
        <p class="note">
          No {counted(found.answers.length - 1, "flip")} of its edges that were tried change it. It holds out.
        </p>
      )}
    </div>
  );
}

function othersText({ nodes, predictions }: ChangedPredictions, model: TrainedModel, node: number): string {
  const changed = nodes.filter((each, k) => each !== node && predictions[k] !== model.predictions[each]);
  return changed.length === 0 ? "no other node changes" : `${counted(changed.length, "other node")} change too`;
}

/** The pair by which `node` receives messages from `other`; on an undirected graph, the smaller node comes first. */
function pairOf({ directed }: OpenedGraph, node: number, other: number): readonly [number, number] {
  return directed || node < other ? [node, other] : [other, node];
}

/** Flips with a pair toggled. */
function toggled(flips: readonly number[], [source, target]: readonly [number, number]): readonly number[] {
  for (let k = 0; k < flips.length; k += 2) {
    if (flips[k] === source && flips[k + 1] === target) return flips.toSpliced(k, 2);
  }
  return [...flips, source, target];
}

/** Whether there is an edge between two nodes, after the changes made so far. */
function isNeighbour(about: SeenNode | null, node: number, other: number): boolean {
  if (!about) return false;
  const { edges, actions } = about.surroundings;
  return actions.some((action, k) => {
    const ends = [edges[2 * k], edges[2 * k + 1]];
    return action !== "remove" && ends.includes(node) && ends.includes(other);
  });
}

/** A test node that is right, but not by much: a few flips will do. */
function goodExample({ numNodes }: OpenedGraph, { margins, roles, predictions }: TrainedModel): number {
  const fitting: number[] = [];
  for (let node = 0; node < numNodes; node++) {
    const margin = margins[node] ?? 0;
    if (roles[node] === "test" && margin > 1 && margin < 3) fitting.push(node);
  }
  if (fitting.length === 0)
    return Math.max(
      0,
      predictions.findIndex((_, node) => (margins[node] ?? 0) > 0),
    );
  return fitting[Math.floor(Math.random() * fitting.length)];
}
