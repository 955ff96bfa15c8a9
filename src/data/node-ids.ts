import { check, DataError } from "../core/errors.ts";
import { quote } from "./formats/printable.ts";

/** What the input calls a node: its number in the files, or its name. */
export type NodeId = number | string;

/**
 * The ids of a graph's nodes in the input. A graph numbers its nodes from 0 without gaps; whatever a user reads or writes
 * goes through `idOf` and `nodeOf`, so that nobody outside sees those numbers.
 */
export class NodeIds {
  readonly length: number;
  private readonly where: string;
  /** Null where each node is its own id, which costs no memory. */
  private readonly ids: ArrayLike<NodeId> | null;
  /** The ids before nodes were left out: tells an id that was left out from an unknown one. */
  private readonly before: NodeIds | null;
  /** Nodes by id, built when first needed. */
  private nodes: Map<NodeId, number> | null = null;

  private constructor(where: string, length: number, ids: ArrayLike<NodeId> | null, before: NodeIds | null) {
    this.where = where;
    this.length = length;
    this.ids = ids;
    this.before = before;
  }

  /** Node i is called i. */
  static numbered(length: number, where: string): NodeIds {
    return new NodeIds(where, length, null, null);
  }

  /** Node i is called `ids[i]`; ids must be distinct. `where` is what error messages call the input. */
  static of(ids: ArrayLike<NodeId>, where: string): NodeIds {
    const made = new NodeIds(where, ids.length, ids, null);
    const distinct = made.lookupTable();
    if (distinct.size < ids.length) {
      const twice = Array.from(ids).find((id, node) => distinct.get(id) !== node);
      throw new DataError(`${where}: node id ${shown(twice!)} is there twice; ids must be distinct`);
    }
    return made;
  }

  /** The ids of the nodes that are kept (ascending). */
  select(kept: Int32Array): NodeIds {
    if (kept.length === this.length) return this;
    const { ids } = this;
    const selected = ids === null ? kept : Array.from(kept, (node) => ids[node]);
    return new NodeIds(this.where, kept.length, selected, this);
  }

  /** True if node i is called i. */
  get areNumbers(): boolean {
    return this.ids === null;
  }

  /** True if nodes have names, not numbers. */
  get areNames(): boolean {
    return this.ids !== null && this.ids.length > 0 && typeof this.ids[0] === "string";
  }

  /** The id of a node of the graph. */
  idOf(node: number): NodeId {
    return this.ids === null ? node : this.ids[node];
  }

  /** The node with an id; a number may be given as its digits. An unknown id is an error that names it. */
  nodeOf(id: NodeId): number {
    const node = this.find(id);
    check(node !== undefined, () => this.unknown(id));
    return node;
  }

  /** The ids of these nodes, in their order. */
  idsOf(nodes: ArrayLike<number>): NodeId[] {
    return Array.from(nodes, (node) => this.idOf(node));
  }

  /** The nodes with these ids, in their order. */
  nodesOf(ids: Iterable<NodeId>): Int32Array {
    return Int32Array.from(ids, (id) => this.nodeOf(id));
  }

  /** True for an id of the input whose node is not in the graph, because it is outside the largest component. */
  wasLeftOut(id: NodeId): boolean {
    return this.find(id) === undefined && this.before?.find(id) !== undefined;
  }

  private find(id: NodeId): number | undefined {
    const key = this.areNames ? String(id) : asNumber(id);
    if (this.ids !== null) return this.lookupTable().get(key);
    return Number.isInteger(key) && (key as number) >= 0 && (key as number) < this.length ? (key as number) : undefined;
  }

  private unknown(id: NodeId): string {
    const asked = this.areNames ? shown(String(id)) : shown(asNumber(id) >= 0 ? asNumber(id) : id);
    if (this.wasLeftOut(id))
      return `node ${asked} of ${this.where} is not in the largest component; --all-components keeps it`;
    const last = this.length - 1;
    const known =
      this.ids === null ? `ids are 0 … ${last}` : `ids go from ${shown(this.idOf(0))} to ${shown(this.idOf(last))}`;
    return `${this.where} has no node ${asked}; ${known}`;
  }

  private lookupTable(): Map<NodeId, number> {
    if (this.nodes) return this.nodes;
    const nodes = new Map<NodeId, number>();
    for (let node = 0; node < this.length; node++) nodes.set(this.idOf(node), node);
    this.nodes = nodes;
    return nodes;
  }
}

function asNumber(id: NodeId): number {
  if (typeof id === "number") return id;
  return /^\d{1,15}$/.test(id) ? Number(id) : Number.NaN;
}

function shown(id: NodeId): string {
  return typeof id === "number" ? String(id) : quote(id);
}
