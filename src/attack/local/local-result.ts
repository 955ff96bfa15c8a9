import type { FlipAction } from "../../graph/flips.ts";
import type { Perturbation } from "../attack.ts";
import type { Influence } from "./local-task.ts";
import type { Neighbourhood } from "./neighbourhood.ts";
import type { NodeOutcome } from "./node-outcome.ts";

/** What an attack did to one node. */
export interface LocalResult {
  readonly node: number;
  /** Its true class. */
  readonly label: number;
  /** Nodes that it aggregates from on the clean graph. */
  readonly degree: number;
  /** Most flips that were allowed. */
  readonly budget: number;
  /** The class that it should get, or null for any but its own. */
  readonly towards: number | null;
  readonly influence: Influence;
  /** At most `budget` flips of the clean graph, for this node alone. */
  readonly perturbation: Perturbation;
  /** What each of these flips does. */
  readonly actions: readonly FlipAction[];
  /** The node on the clean graph. */
  readonly clean: NodeOutcome;
  /** The node on the discrete graph with the flips, computed afresh (rule B3). */
  readonly adversarial: NodeOutcome;
  /** Whether the goal was missed on the clean graph and is reached on the perturbed one. */
  readonly success: boolean;
  /** The surroundings of the node, for a picture. */
  readonly neighbourhood: Neighbourhood;
  /** Steps of the search; 0 if it does not count them. */
  readonly epochs: number;
  /** Time of the search for flips. */
  readonly seconds: number;
  /** Whether the search was ended early. */
  readonly interrupted: boolean;
}
