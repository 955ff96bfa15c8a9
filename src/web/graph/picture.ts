import Graph from "graphology";
import Sigma from "sigma";
import { EdgeLineProgram, EdgeRectangleProgram } from "sigma/rendering";
import { hoverDrawer } from "./draw-hover.ts";
import { findNodesByPlace, PlainPoints } from "./hit-test.ts";
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

/** The nodes of a graph: what they look like, what they are called, and where they are. */
export interface ShownNodes {
  readonly looks: readonly Look[];
  readonly names: (node: number) => string;
  readonly positions: Float32Array;
}

export interface PictureOptions {
  readonly nodeClicked: (node: number) => void;
  readonly stageClicked: () => void;
  readonly palette: Palette;
}

/** Above this many nodes, edges are hidden while the picture is moved, and nodes are not reordered by new levels. */
const LARGE = 5000;
/** Share of the flips that are highlighted as the latest. */
const FRESH = 0.04;

/**
 * A graph drawn with WebGL. It is changed in place, and only changed nodes and edges are updated: a slider that plays
 * an attack changes a few at a time. Changes are collected until the next frame.
 */
export class Picture {
  private readonly graph = new Graph<NodeAttributes, EdgeAttributes>({ type: "directed", multi: true });
  private readonly sigma: Sigma<NodeAttributes, EdgeAttributes>;
  private palette: Palette;
  private looks: readonly Look[] = [];
  private flipEdges: string[] = [];
  private flipActions: ShownFlips["actions"] = [];
  private made = 0;
  private chosen: string | null = null;
  private readonly changedNodes = new Set<string>();
  private readonly changedEdges = new Set<string>();
  private isAllChanged = false;
  private frame = 0;

  constructor(container: HTMLElement, { nodeClicked, stageClicked, palette }: PictureOptions) {
    this.palette = palette;
    this.sigma = new Sigma<NodeAttributes, EdgeAttributes>(this.graph, container, {
      allowInvalidContainer: true,
      defaultEdgeType: "thin",
      nodeProgramClasses: { circle: PlainPoints as never },
      nodeHoverProgramClasses: { circle: PlainPoints as never },
      edgeProgramClasses: { thin: EdgeLineProgram, thick: EdgeRectangleProgram },
      defaultDrawNodeHover: hoverDrawer(palette) as never,
      renderLabels: false,
      zIndex: true,
      stagePadding: 24,
      minCameraRatio: 0.01,
      maxCameraRatio: 4,
    });
    findNodesByPlace(this.sigma);
    this.sigma.on("clickNode", ({ node }) => nodeClicked(Number(node)));
    this.sigma.on("clickStage", () => stageClicked());
  }

  /** Draws another graph instead. */
  show(edges: readonly number[], { looks, names, positions }: ShownNodes): void {
    this.graph.clear();
    this.flipEdges = [];
    this.made = 0;
    this.chosen = null;
    this.looks = looks;
    for (const [node, look] of looks.entries()) {
      this.graph.addNode(String(node), {
        x: positions[2 * node],
        y: positions[2 * node + 1],
        size: look.size,
        color: look.colour,
        zIndex: look.level,
        label: names(node),
        highlighted: false,
      });
    }
    for (let e = 0; e < edges.length; e += 2) {
      const plain: EdgeAttributes = { type: "thin", size: 1, color: this.edgeColour, hidden: false, zIndex: 0 };
      this.graph.addEdge(String(edges[e]), String(edges[e + 1]), plain);
    }
    this.sigma.setSetting("hideEdgesOnMove", looks.length > LARGE);
    this.redrawAll();
    this.resetCamera();
  }

  move(positions: Float32Array): void {
    for (let node = 0; node < this.looks.length; node++) {
      const attributes = this.graph.getNodeAttributes(String(node));
      attributes.x = positions[2 * node];
      attributes.y = positions[2 * node + 1];
    }
    this.redrawAll();
  }

  /** Changes the looks of nodes. */
  paint(looks: readonly Look[]): void {
    for (const [node, { colour, size, level }] of looks.entries()) {
      const before = this.looks[node];
      if (before.colour === colour && before.size === size) continue;
      const key = String(node);
      Object.assign(this.graph.getNodeAttributes(key), { color: colour, size, zIndex: level });
      this.redraw(this.changedNodes, key);
      if (before.level !== level && looks.length <= LARGE) this.redrawAll();
    }
    this.looks = looks;
  }

  /** Adds the flips of an attack to the picture, in place of earlier ones; none of them is made yet. */
  lay({ flips, actions }: ShownFlips): void {
    for (const key of this.flipEdges) this.graph.dropEdge(key);
    this.made = 0;
    this.flipActions = actions;
    this.flipEdges = actions.map((_, k) => {
      const attributes: EdgeAttributes = { type: "thick", size: 1, color: "", hidden: true, zIndex: 1 };
      return this.graph.addEdgeWithKey(`flip ${k}`, String(flips[2 * k]), String(flips[2 * k + 1]), attributes);
    });
    this.redrawAll();
  }

  /** Shows the first `made` flips and hides the others. The latest of them are highlighted. */
  play(made: number): void {
    const fresh = Math.max(4, Math.ceil(FRESH * this.flipEdges.length));
    const begin = Math.max(0, Math.min(made, this.made) - fresh);
    const end = Math.min(Math.max(made, this.made), this.flipEdges.length);
    for (let k = begin; k < end; k++) {
      const key = this.flipEdges[k];
      Object.assign(this.graph.getEdgeAttributes(key), this.flippedEdge(k, k >= made - fresh), { hidden: k >= made });
      this.redraw(this.changedEdges, key);
    }
    this.made = made;
  }

  private flippedEdge(k: number, isFresh: boolean): Pick<EdgeAttributes, "color" | "size"> {
    const { added, addedBefore, removed, removedBefore } = this.palette;
    if (this.flipActions[k] === "add") return { color: isFresh ? added : addedBefore, size: isFresh ? 2 : 0.8 };
    return { color: isFresh ? removed : removedBefore, size: isFresh ? 3 : 1.8 };
  }

  /** Marks a node and its edges, in place of those marked before; null marks none. */
  choose(node: number | null): void {
    if (this.chosen !== null) this.mark(this.chosen, false);
    const key = node === null ? null : String(node);
    this.chosen = key !== null && this.graph.hasNode(key) ? key : null;
    if (this.chosen !== null) this.mark(this.chosen, true);
  }

  private mark(key: string, isChosen: boolean): void {
    this.graph.getNodeAttributes(key).highlighted = isChosen;
    this.redraw(this.changedNodes, key);
    for (const edge of this.graph.edges(key)) {
      const attributes = this.graph.getEdgeAttributes(edge);
      if (attributes.type !== "thin") continue;
      attributes.color = isChosen ? this.palette.edgeNear : this.edgeColour;
      this.redraw(this.changedEdges, edge);
    }
  }

  /** Gives the edges the colours of another theme; nodes get theirs with the next `paint`. */
  recolour(palette: Palette): void {
    if (palette === this.palette) return;
    this.palette = palette;
    for (const key of this.graph.edges()) {
      const attributes = this.graph.getEdgeAttributes(key);
      if (attributes.type === "thin") attributes.color = this.edgeColour;
    }
    const { made } = this;
    this.play(0);
    this.play(made);
    this.sigma.setSetting("defaultDrawNodeHover", hoverDrawer(palette) as never);
    this.redrawAll();
    this.choose(this.chosen === null ? null : Number(this.chosen));
  }

  private get edgeColour(): string {
    return this.looks.length > LARGE ? this.palette.faintEdge : this.palette.edge;
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

  close(): void {
    cancelAnimationFrame(this.frame);
    this.sigma.kill();
  }

  private redraw(changed: Set<string>, key: string): void {
    changed.add(key);
    this.schedule();
  }

  private redrawAll(): void {
    this.isAllChanged = true;
    this.schedule();
  }

  private schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.flush());
  }

  private flush(): void {
    this.frame = 0;
    const partialGraph = { nodes: [...this.changedNodes], edges: [...this.changedEdges] };
    if (this.isAllChanged) this.sigma.refresh();
    else this.sigma.refresh({ partialGraph, skipIndexation: true });
    this.changedNodes.clear();
    this.changedEdges.clear();
    this.isAllChanged = false;
  }
}
