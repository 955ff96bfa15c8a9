import Graph from "graphology";
import Sigma from "sigma";
import { EdgeLineProgram, EdgeRectangleProgram } from "sigma/rendering";
import { hoverDrawer } from "./draw-hover.ts";
import type { Look } from "./looks.ts";
import type { Palette } from "./palette.ts";

interface NodeAttributes {
  x: number;
  y: number;
  size: number;
  color: string;
  label: string;
  zIndex: number;
  highlighted: boolean;
}

interface EdgeAttributes {
  type: "thin" | "thick";
  size: number;
  color: string;
  hidden: boolean;
  zIndex: number;
}

/** Flips in the order in which they are played. */
export interface ShownFlips {
  readonly flips: readonly number[];
  readonly actions: readonly ("add" | "remove")[];
}

export interface PictureOptions {
  readonly nodeClicked: (node: number) => void;
  readonly stageClicked: () => void;
  readonly palette: Palette;
}

/** Above this many nodes, edges are left out while the picture is moved. */
const LARGE = 5000;

/**
 * A graph drawn with WebGL. It is changed in place, and only what differs is drawn anew: a slider that plays an attack changes a few
 * nodes and edges at a time.
 */
export class Picture {
  private readonly graph = new Graph<NodeAttributes, EdgeAttributes>({ type: "directed" });
  private readonly sigma: Sigma<NodeAttributes, EdgeAttributes>;
  private palette: Palette;
  private looks: readonly Look[] = [];
  private shown: ShownFlips = { flips: [], actions: [] };
  private flipEdges: string[] = [];
  private made = 0;
  private chosen: string | null = null;

  constructor(container: HTMLElement, { nodeClicked, stageClicked, palette }: PictureOptions) {
    this.palette = palette;
    this.sigma = new Sigma<NodeAttributes, EdgeAttributes>(this.graph, container, {
      allowInvalidContainer: true,
      defaultEdgeType: "thin",
      edgeProgramClasses: { thin: EdgeLineProgram, thick: EdgeRectangleProgram },
      defaultDrawNodeHover: hoverDrawer(palette) as never,
      renderLabels: false,
      zIndex: true,
      stagePadding: 24,
      minCameraRatio: 0.01,
      maxCameraRatio: 4,
    });
    this.sigma.on("clickNode", ({ node }) => nodeClicked(Number(node)));
    this.sigma.on("clickStage", () => stageClicked());
  }

  /** Draws another graph. */
  show(
    edges: readonly number[],
    nodes: { readonly looks: readonly Look[]; readonly names: (node: number) => string; positions: Float32Array },
  ): void {
    this.graph.clear();
    this.flipEdges = [];
    this.shown = { flips: [], actions: [] };
    this.made = 0;
    this.chosen = null;
    this.looks = nodes.looks;
    for (const [node, look] of nodes.looks.entries()) {
      this.graph.addNode(String(node), {
        x: nodes.positions[2 * node],
        y: nodes.positions[2 * node + 1],
        size: look.size,
        color: look.colour,
        zIndex: look.level,
        label: nodes.names(node),
        highlighted: false,
      });
    }
    for (let e = 0; e < edges.length; e += 2) {
      const key = edgeKey(edges[e], edges[e + 1]);
      this.graph.addEdgeWithKey(key, String(edges[e]), String(edges[e + 1]), this.plainEdge());
    }
    this.sigma.setSetting("hideEdgesOnMove", nodes.looks.length > LARGE);
    this.sigma.refresh();
    this.resetCamera();
  }

  move(positions: Float32Array): void {
    this.graph.updateEachNodeAttributes(
      (node, attributes) => {
        attributes.x = positions[2 * Number(node)];
        attributes.y = positions[2 * Number(node) + 1];
        return attributes;
      },
      { attributes: ["x", "y"] },
    );
  }

  /** Changes the looks of nodes. */
  paint(looks: readonly Look[]): void {
    const changed: string[] = [];
    for (const [node, { colour, size, level }] of looks.entries()) {
      const before = this.looks[node];
      if (before.colour === colour && before.size === size) continue;
      const key = String(node);
      this.graph.mergeNodeAttributes(key, { color: colour, size, zIndex: level });
      changed.push(key);
    }
    this.looks = looks;
    if (changed.length > 0) this.refresh(changed, []);
  }

  /** Lays the flips of an attack over the graph; none of them is made yet. */
  lay(shown: ShownFlips): void {
    for (const [k, key] of this.flipEdges.entries()) {
      if (this.shown.actions[k] === "add") this.graph.dropEdge(key);
      else this.graph.replaceEdgeAttributes(key, this.plainEdge());
    }
    this.shown = shown;
    this.made = 0;
    this.flipEdges = shown.actions.map((action, k) => {
      const source = shown.flips[2 * k];
      const target = shown.flips[2 * k + 1];
      const key = edgeKey(source, target);
      if (action === "remove" && this.graph.hasEdge(key)) return key;
      const attributes = { ...this.flippedEdge(action), hidden: action === "add" };
      return this.graph.addEdgeWithKey(`+${key}`, String(source), String(target), attributes);
    });
    this.sigma.refresh();
  }

  /** Makes the first flips, and takes the others back. */
  play(made: number): void {
    if (made === this.made) return;
    const begin = Math.min(made, this.made);
    const end = Math.min(Math.max(made, this.made), this.flipEdges.length);
    const changed: string[] = [];
    for (let k = begin; k < end; k++) {
      const key = this.flipEdges[k];
      const action = this.shown.actions[k];
      const isMade = k < made;
      if (action === "add") this.graph.setEdgeAttribute(key, "hidden", !isMade);
      else this.graph.replaceEdgeAttributes(key, isMade ? this.flippedEdge("remove") : this.plainEdge());
      changed.push(key);
    }
    this.made = made;
    this.refresh([], changed);
  }

  /** Marks a node and its edges, or none. */
  choose(node: number | null): void {
    if (this.chosen !== null && this.graph.hasNode(this.chosen)) this.mark(this.chosen, false);
    this.chosen = node === null ? null : String(node);
    if (this.chosen === null || !this.graph.hasNode(this.chosen)) return;
    this.mark(this.chosen, true);
  }

  private mark(key: string, isChosen: boolean): void {
    this.graph.setNodeAttribute(key, "highlighted", isChosen);
    const edges = this.graph.edges(key).filter((edge) => this.graph.getEdgeAttribute(edge, "type") === "thin");
    for (const edge of edges) {
      this.graph.setEdgeAttribute(edge, "color", isChosen ? this.palette.edgeNear : this.palette.edge);
    }
    this.refresh([key], edges);
  }

  /** Other colours, for another theme; looks come with the next `paint`. */
  recolour(palette: Palette): void {
    this.palette = palette;
    this.sigma.setSetting("defaultDrawNodeHover", hoverDrawer(palette) as never);
    this.graph.updateEachEdgeAttributes((_, attributes) =>
      attributes.type === "thin" ? { ...attributes, color: palette.edge } : attributes,
    );
    const { shown, made } = this;
    this.lay(shown);
    this.play(made);
    this.choose(this.chosen === null ? null : Number(this.chosen));
  }

  zoom(factor: number): void {
    const camera = this.sigma.getCamera();
    camera.animate({ ratio: camera.getBoundedRatio(camera.ratio / factor) }, { duration: 150 });
  }

  pan(x: number, y: number): void {
    const camera = this.sigma.getCamera();
    camera.animate({ x: camera.x + x * camera.ratio, y: camera.y + y * camera.ratio }, { duration: 120 });
  }

  resetCamera(): void {
    this.sigma.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 });
  }

  /** Brings a node to the middle. */
  lookAt(node: number): void {
    const data = this.sigma.getNodeDisplayData(String(node));
    if (data) this.sigma.getCamera().animate({ x: data.x, y: data.y, ratio: 0.35 }, { duration: 300 });
  }

  close(): void {
    this.sigma.kill();
  }

  private refresh(nodes: string[], edges: string[]): void {
    this.sigma.refresh({ partialGraph: { nodes, edges }, skipIndexation: true, schedule: true });
  }

  private plainEdge(): EdgeAttributes {
    return { type: "thin", size: 1, color: this.palette.edge, hidden: false, zIndex: 0 };
  }

  private flippedEdge(action: "add" | "remove"): EdgeAttributes {
    const isAdded = action === "add";
    const color = isAdded ? this.palette.added : this.palette.removed;
    return { type: "thick", size: isAdded ? 1.4 : 2.2, color, hidden: false, zIndex: 1 };
  }
}

function edgeKey(source: number, target: number): string {
  return `${source},${target}`;
}
