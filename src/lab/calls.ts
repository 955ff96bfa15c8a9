import type { FlipAction } from "../graph/flips.ts";

/**
 * The calls of a lab, by name. Requests and results are plain JSON, apart from the bytes of dropped files, so they can
 * be sent to a server or to a worker. Pairs of nodes are flat lists: source, target, source, target, …; nodes are
 * numbered from 0.
 */
export interface LabCalls {
  /** Lists the graphs, models and attacks to choose from. */
  offer: { request: Record<string, never>; result: Offer };
  /** Opens a graph by its name and closes the graph that was open before. */
  open: { request: { readonly name: string }; result: OpenedGraph };
  /** Opens the graph in dropped files; their names are paths within the dropped folder. */
  graph: { request: { readonly files: readonly GraphFile[] }; result: OpenedGraph };
  /** Trains a model on the open graph. The last few models are kept and can be named by their ids. */
  train: { request: TrainRequest; result: TrainedModel };
  /** Attacks a model with one budget for the whole graph. */
  attack: { request: AttackRequest; result: PlayedAttack };
  /** Attacks one node: the fewest flips that change its prediction, unless told otherwise. */
  attackNode: { request: AttackNodeRequest; result: AttackedNode };
  /** Returns how a model's predictions change with flips made by hand. */
  predict: { request: PredictRequest; result: ChangedPredictions };
  /** One node: its surroundings, what a model predicts for it, and which of the given flips changed the prediction. */
  node: { request: NodeRequest; result: SeenNode };
}

/** The name of a call. */
export type LabCall = keyof LabCalls;
/** The request of a call. */
export type LabRequest<Name extends LabCall> = LabCalls[Name]["request"];
/** The result of a call. */
export type LabResult<Name extends LabCall> = LabCalls[Name]["result"];

/** Something that can be asked for by its name. */
export interface Choice {
  readonly name: string;
  readonly summary: string;
}

/** The graphs, models and attacks to choose from. */
export interface Offer {
  readonly graphs: readonly Choice[];
  readonly models: readonly Choice[];
  readonly attacks: readonly Choice[];
  readonly nodeAttacks: readonly Choice[];
  /** Where the lab computes, such as "wasm, 4 threads". */
  readonly device: string;
}

/** A file that was dropped. */
export interface GraphFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Which set of the split a node is in. */
export type Role = "train" | "val" | "test" | "none";

/** An open graph, with everything needed to draw it. */
export interface OpenedGraph {
  /** The id by which other calls name it. */
  readonly graph: string;
  readonly name: string;
  readonly numNodes: number;
  readonly numEdges: number;
  readonly numFeatures: number;
  readonly directed: boolean;
  /** What the input calls the classes. */
  readonly classes: readonly string[];
  /** Class of each node, −1 where it is unknown. */
  readonly labels: readonly number[];
  /** Each edge once; null where the graph is too large to be drawn as a whole. */
  readonly edges: readonly number[] | null;
  /** Id of each node in the input; null if the ids are the numbers of the nodes. */
  readonly ids: readonly (number | string)[] | null;
  /** Share of edges that join nodes of the same class; null if no edge has labels at both ends. */
  readonly homophily: number | null;
  /** What a user should know about how the graph was read, one line each. */
  readonly notes: readonly string[];
}

/** Which model to train. */
export interface TrainRequest {
  readonly graph: string;
  readonly model: string;
  readonly seed?: number;
  /** Hyperparameters that replace those of the preset. */
  readonly set?: Readonly<Record<string, string | number | boolean | readonly number[]>>;
}

/** A model's prediction for every node; margins are null for nodes without a label. */
export interface Predictions {
  readonly predictions: readonly number[];
  readonly confidences: readonly number[];
  readonly margins: readonly (number | null)[];
}

/** A trained model, and its predictions on the clean graph. */
export interface TrainedModel extends Predictions {
  /** The id by which other calls name it. */
  readonly model: string;
  readonly graph: string;
  readonly kind: string;
  readonly seed: number;
  readonly accuracy: { readonly train: number; readonly val: number; readonly test: number };
  /** The set of each node, in the split of this seed. */
  readonly roles: readonly Role[];
  readonly trainLoss: readonly number[];
  readonly valLoss: readonly number[];
  readonly bestEpoch: number;
  readonly seconds: number;
}

/** Which attack to run on a model. */
export interface AttackRequest {
  readonly model: string;
  readonly attack: string;
  /** Flips as a share of the edges. Default 0.05. */
  readonly epsilon?: number;
  readonly seed?: number;
  /** Options of the attack itself, as study files write them. */
  readonly options?: Readonly<Record<string, string | number | boolean>>;
}

/** The flips of an attack, in the order of play, and how the model's predictions change along the way. */
export interface PlayedAttack {
  readonly model: string;
  readonly attack: string;
  readonly epsilon: number;
  readonly budget: number;
  readonly flips: readonly number[];
  readonly actions: readonly FlipAction[];
  /** The model's predictions after more and more flips: first without any, last with all. */
  readonly points: readonly PlayedPoint[];
  readonly accuracy: { readonly clean: number; readonly adversarial: number };
  /** The predictions with all flips. */
  readonly after: Predictions;
  readonly seconds: number;
  readonly interrupted: boolean;
}

/** The state after some of the flips, and what changed since the point before. */
export interface PlayedPoint {
  /** How many of the flips are made. */
  readonly flips: number;
  /** Share of the test nodes that are classified correctly. */
  readonly accuracy: number;
  /** Nodes whose prediction differs from that at the point before; `predictions` has their new classes. */
  readonly nodes: readonly number[];
  readonly predictions: readonly number[];
}

/** Which node to attack, and how. */
export interface AttackNodeRequest {
  readonly model: string;
  readonly node: number;
  /** Default: the strongest attack that works on the model. */
  readonly attack?: string;
  /** Most flips. Default 20. */
  readonly budget?: number;
  /** True looks for the fewest flips that succeed; false spends the whole budget. Default true. */
  readonly minimal?: boolean;
  readonly influence?: "direct" | "influencer" | "both";
  /** The class that the attack drives the node to. Default: any class but its own. */
  readonly towards?: number;
  readonly seed?: number;
}

/** A model's answer for one node. */
export interface NodeAnswer {
  readonly prediction: number;
  readonly correct: boolean;
  /** Logit of the true class minus that of the strongest other. */
  readonly margin: number;
  readonly probabilities: readonly number[];
}

/** What an attack did to a node. */
export interface AttackedNode {
  readonly node: number;
  readonly attack: string;
  readonly flips: readonly number[];
  readonly actions: readonly FlipAction[];
  /** The model's answers: without flips, then after each flip in turn. */
  readonly answers: readonly NodeAnswer[];
  readonly success: boolean;
  readonly surroundings: Surroundings;
  readonly seconds: number;
  readonly interrupted: boolean;
}

/** Nodes within two steps of one node, which comes first, and the edges between them, including flipped ones. */
export interface Surroundings {
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  /** Whether a flip adds or removes the edge; null for an edge that is not flipped. */
  readonly actions: readonly (FlipAction | null)[];
  /** False if nodes within two steps were left out. */
  readonly complete: boolean;
}

/** Flips made by hand. */
export interface PredictRequest {
  readonly model: string;
  readonly flips: readonly number[];
}

/** The nodes whose prediction or margin differs from that on the clean graph. */
export interface ChangedPredictions {
  readonly nodes: readonly number[];
  readonly predictions: readonly number[];
  readonly margins: readonly (number | null)[];
  /** Share of the test nodes that are classified correctly with the flips. */
  readonly accuracy: number;
}

/** Which node to look at, and with which flips. */
export interface NodeRequest {
  readonly graph: string;
  readonly node: number;
  /** Without a model, only the degree and the surroundings come back. */
  readonly model?: string;
  readonly flips?: readonly number[];
}

/** A node as it is with some flips. */
export interface SeenNode {
  readonly node: number;
  readonly degree: number;
  readonly surroundings: Surroundings;
  /** The model's answers; null without a model, or for a node without a label. */
  readonly answers: { readonly clean: NodeAnswer; readonly flipped: NodeAnswer } | null;
  /**
   * A minimal set of flips near the node that alone gives it its new prediction: leaving out any one of them does not.
   * Empty if the prediction did not change, or if the flips tried do not suffice to change it.
   */
  readonly tipping: readonly number[];
}
