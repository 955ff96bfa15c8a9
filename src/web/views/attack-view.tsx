import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { OpenedGraph } from "rgnn/lab";
import { GraphView } from "../graph/graph-view.tsx";
import type { Colouring, Scene } from "../graph/looks.ts";
import { AccuracyCurve } from "../parts/accuracy-curve.tsx";
import { Legend } from "../parts/legend.tsx";
import { NodeCard } from "../parts/node-card.tsx";
import { NodePicker } from "../parts/node-picker.tsx";
import { Trouble } from "../parts/notice.tsx";
import { Playback } from "../parts/playback.tsx";
import { JobProgress } from "../parts/progress.tsx";
import { SetupForm } from "../parts/setup.tsx";
import { goTo, hashOf } from "../route.ts";
import { count, counted, nodeName, percent } from "../words.ts";
import type { Workbench } from "../workbench.ts";

const noFlips = { flips: [], actions: [] };

/** See the attack: the graph, its flips, and the accuracy that falls. */
export function AttackView({ bench, selected }: { bench: Workbench; selected: number | null }) {
  const graph = bench.graph.value;
  const model = bench.model.value;
  const attack = bench.attack.value;
  const chosenColouring = useSignal<Colouring>("outcome");
  const colouring: Colouring = model ? chosenColouring.value : "class";
  const predictions = bench.predictions.value;
  const scene = useMemo<Scene | null>(
    () => graph && { graph, model, predictions, colouring },
    [graph, model, predictions, colouring],
  );
  const node = graph && selected !== null && selected < graph.numNodes ? selected : null;
  const select = (next: number | null) => goTo({ view: "attack", selected: next });
  useEffect(() => {
    document.title = "See the attack · rgnn";
  }, []);
  return (
    <main class="stage" id="main">
      <div class="picture">
        {scene && (graph!.edges ? <Drawn {...{ bench, scene, node, select }} /> : <TooLarge graph={graph!} />)}
        {scene && (
          <Legend
            scene={scene}
            hasFlips={attack !== null}
            changed={(next) => {
              chosenColouring.value = next;
            }}
          />
        )}
      </div>
      <aside class="panel" aria-label="Attack">
        <Trouble bench={bench} />
        <Headline bench={bench} />
        {bench.job.value ? (
          <JobProgress job={bench.job.value} />
        ) : (
          graph &&
          !attack && (
            <button type="button" class="primary" onClick={() => bench.trainAndAttack()}>
              Train and attack
            </button>
          )
        )}
        {attack && (
          <section class="card" aria-label="Accuracy over the budget">
            <AccuracyCurve attack={attack} made={bench.made.value} point={bench.point.value} />
            <Playback bench={bench} />
            {attack.attack !== "auto" && (
              <button type="button" disabled={bench.job.value !== null} onClick={() => bench.attackHarder()}>
                Attack harder, with auto
              </button>
            )}
          </section>
        )}
        {node !== null && <NodeCard key={node} bench={bench} node={node} close={() => select(null)} />}
        {graph && (
          <details class="card">
            <summary>Model, attack and budget</summary>
            <SetupForm bench={bench} runLabel={attack ? "Run again" : "Train and attack"} />
          </details>
        )}
        {graph && <NodePicker graph={graph} node={node} chosen={select} />}
        {graph && <Facts graph={graph} />}
      </aside>
    </main>
  );
}

interface DrawnProps {
  readonly bench: Workbench;
  readonly scene: Scene;
  readonly node: number | null;
  readonly select: (node: number | null) => void;
}

function Drawn({ bench, scene, node, select }: DrawnProps) {
  const { graph } = scene;
  const attack = bench.attack.value;
  const made = bench.made.value;
  const sizes = `${counted(graph.numNodes, "node")} and ${counted(graph.numEdges, "edge")}`;
  const description = attack
    ? `${graph.name}: ${sizes}, ${counted(made, "of them flipped", "of them flipped")}. Arrow keys move the picture, plus and minus zoom.`
    : `${graph.name}: ${sizes}. Arrow keys move the picture, plus and minus zoom.`;
  return (
    <GraphView
      scene={scene}
      flips={attack ?? noFlips}
      made={made}
      chosen={node}
      description={description}
      nameOf={(each) => nodeName(graph, each)}
      nodeClicked={select}
    />
  );
}

function TooLarge({ graph }: { graph: OpenedGraph }) {
  return (
    <div class="empty">
      <h2>{count(graph.numNodes)} nodes are too many for one picture</h2>
      <p>
        Training and attacking work all the same. To see something,{" "}
        <a href={hashOf({ view: "node", node: 0 })}>look at one node</a> and what is around it.
      </p>
    </div>
  );
}

/** The result: accuracy before and after the attack; before there is one, what is about to happen. */
function Headline({ bench }: { bench: Workbench }) {
  const graph = bench.graph.value;
  const model = bench.model.value;
  const attack = bench.attack.value;
  if (!graph) return <h1 class="headline">{bench.error.value ? "No graph is open" : "Opening the graph …"}</h1>;
  if (!model) {
    return (
      <div class="headline">
        <h1>How few edges does it take to fool a graph network?</h1>
        <p>
          {graph.name} has {counted(graph.numNodes, "node")} in {counted(graph.classes.length, "class", "classes")}. A
          model learns to tell the classes apart; then an attack flips a few of the {counted(graph.numEdges, "edge")} to
          mislead it.
        </p>
      </div>
    );
  }
  const now = attack ? attack.points[Math.max(0, bench.point.value)].accuracy : model.accuracy.test;
  return (
    <div class="headline">
      <h1>
        <span class="big">{percent(model.accuracy.test, 0)}</span>
        {attack && (
          <>
            <span class="arrow" aria-hidden="true">
              {" → "}
            </span>
            <span class="hidden"> falls to </span>
            <span class="big harm">{percent(now, 0)}</span>
          </>
        )}
      </h1>
      <p>
        {attack
          ? `of the test nodes are right, before and after ${attack.attack} flips ${counted(bench.made.value, "edge")}${shareText(bench, graph)}.`
          : `of the test nodes are right: ${model.kind}, trained in ${model.seconds.toFixed(1)} s.`}
      </p>
      {attack?.interrupted && <p class="note">The attack was ended early; this is the best it had found.</p>}
    </div>
  );
}

function shareText(bench: Workbench, { numEdges }: OpenedGraph): string {
  return ` of ${count(numEdges)} (${percent(bench.made.value / numEdges)})`;
}

function Facts({ graph }: { graph: OpenedGraph }) {
  return (
    <section class="facts" aria-label="Graph">
      <h2>{graph.name}</h2>
      <p>
        {counted(graph.numNodes, "node")}, {counted(graph.numEdges, "edge")}, {counted(graph.numFeatures, "feature")},{" "}
        {counted(graph.classes.length, "class", "classes")}
        {graph.homophily !== null && `; ${percent(graph.homophily, 0)} of the edges stay within a class`}.
      </p>
      {graph.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      <p>
        <a href={hashOf({ view: "graph" })}>Use your own graph</a>
      </p>
    </section>
  );
}
