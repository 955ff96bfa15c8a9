import type { FlipAction } from "../graph/flips.ts";

/**
 * What can be asked of a lab, by name. Requests and results are plain JSON, apart from the bytes of dropped files, so that they travel to
 * a server or a worker alike. Pairs of nodes are flat lists: source, target, source, target, …; nodes are numbers of the graph, from 0.
 */
export interface LabCalls {
  /** What there is to choose from. */
  offer: { request: Record<string, never>; result: Offer };
  /** Opens a graph by its name; whatever was open before is closed. */
  open: { request: { readonly name: string }; result: OpenedGraph };
  /** Opens the graph that files hold, with their paths below the folder that was dropped. */
  graph: { request: { readonly files: readonly GraphFile[] }; result: OpenedGraph };
  /** Trains a model on the open graph. The last few models stay, by their ids. */
  train: { request: TrainRequest; result: TrainedModel };
  /** Attacks a model with one budget for the whole graph. */
  attack: { request: AttackRequest; result: PlayedAttack };
  /** Attacks one node: the fewest flips that change its prediction, unless told otherwise. */
  attackNode: { request: AttackNodeRequest; result: AttackedNode };
  /** What a model says with flips made by hand. */
  predict: { request: PredictRequest; result: ChangedPredictions };
  /** One node: its surroundings, what a model says about it, and which of some flips tipped it. */
  node: { request: NodeRequest; result: SeenNode };
}

/** The name of a call. */
export type LabCall = keyof LabCalls;
/** What a call is asked. */
export type LabRequest<Name extends LabCall> = LabCalls[Name]["request"];
/** What a call answers. */
export type LabResult<Name extends LabCall> = LabCalls[Name]["result"];

/** Something that can be asked for by its name. */
export interface Choice {
  readonly name: string;
  readonly summary: string;
}

/** What there is to choose from. */
export interface Offer {
  readonly graphs: readonly Choice[];
  readonly models: readonly Choice[];
  readonly attacks: readonly Choice[];
  readonly nodeAttacks: readonly Choice[];
  /** Where it computes, such as "wasm, 4 threads". */
  readonly device: string;
}

/** A file that was dropped. */
export interface GraphFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Which set of the split a node is in. */
export type Role = "train" | "val" | "test" | "none";

/** A graph that is open, with what it takes to draw it. */
export interface OpenedGraph {
  /** By which other calls name it. */
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
  /** What the input calls each node; null where that is its number. */
  readonly ids: readonly (number | string)[] | null;
  /** Share of edges that join nodes of one class; null where no edge has two labels. */
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

/** What a model says about every node; margins are null for nodes without a label. */
export interface Predictions {
  readonly predictions: readonly number[];
  readonly confidences: readonly number[];
  readonly margins: readonly (number | null)[];
}

/** A trained model, and what it says about the clean graph. */
export interface TrainedModel extends Predictions {
  /** By which other calls name it. */
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

/** An attack whose flips are in the order in which they are played, and what the model says along the way. */
export interface PlayedAttack {
  readonly model: string;
  readonly attack: string;
  readonly epsilon: number;
  readonly budget: number;
  readonly flips: readonly number[];
  readonly actions: readonly FlipAction[];
  /** Points of the budget at which the model was asked: first without flips, last with all. */
  readonly points: readonly PlayedPoint[];
  readonly accuracy: { readonly clean: number; readonly adversarial: number };
  /** With all flips. */
  readonly after: Predictions;
  readonly seconds: number;
  readonly interrupted: boolean;
}

/** A point of the budget, and what differs from the one before. */
export interface PlayedPoint {
  /** How many of the flips are made. */
  readonly flips: number;
  /** Share of the test nodes that are right. */
  readonly accuracy: number;
  /** Nodes whose prediction differs from the point before, and what it is now. */
  readonly nodes: readonly number[];
  readonly predictions: readonly number[];
}

/** Which node to attack, and how. */
export interface AttackNodeRequest {
  readonly model: string;
  readonly node: number;
  /** Default: the strongest that fits the model. */
  readonly attack?: string;
  /** Most flips. Default 20. */
  readonly budget?: number;
  /** Whether to look for the fewest flips; otherwise it spends the budget. Default true. */
  readonly minimal?: boolean;
  readonly influence?: "direct" | "influencer" | "both";
  /** The class that the node should get. Default: any but its own. */
  readonly towards?: number;
  readonly seed?: number;
}

/** What a model says about one node. */
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
  /** Without flips, then after each of them in turn. */
  readonly answers: readonly NodeAnswer[];
  readonly success: boolean;
  readonly surroundings: Surroundings;
  readonly seconds: number;
  readonly interrupted: boolean;
}

/** Nodes within two steps of one, which comes first, and the edges between them with some flips. */
export interface Surroundings {
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  /** What the flips do to each edge; null for an edge that stays. */
  readonly actions: readonly (FlipAction | null)[];
  /** False if nodes within two steps were left out. */
  readonly complete: boolean;
}

/** Flips made by hand. */
export interface PredictRequest {
  readonly model: string;
  readonly flips: readonly number[];
}

/** The nodes about which a model says something else than without the flips. */
export interface ChangedPredictions {
  readonly nodes: readonly number[];
  readonly predictions: readonly number[];
  readonly margins: readonly (number | null)[];
  /** Share of the test nodes that are right with the flips. */
  readonly accuracy: number;
}

/** Which node to look at, and with which flips. */
export interface NodeRequest {
  readonly graph: string;
  readonly node: number;
  /** Without, only surroundings come back. */
  readonly model?: string;
  readonly flips?: readonly number[];
}

/** A node as it is with some flips. */
export interface SeenNode {
  readonly node: number;
  readonly degree: number;
  readonly surroundings: Surroundings;
  /** What the model says; null without a model, or for a node without a label. */
  readonly answers: { readonly clean: NodeAnswer; readonly flipped: NodeAnswer } | null;
  /** The flips without which its prediction would not have changed, none to spare; empty if it did not change. */
  readonly tipping: readonly number[];
}
