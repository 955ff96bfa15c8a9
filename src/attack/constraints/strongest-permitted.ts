import type { PairBuffers } from "../../backend/backend.ts";
import { type Flips, noFlips } from "../../graph/flips.ts";
import type { Tensor } from "../../tensor/index.ts";
import { largest, pairsAt } from "../block.ts";
import { ascending, firstWithout } from "../choose-flips.ts";
import type { Constraints } from "./constraints.ts";

/**
 * The `count` pairs with the largest of `values` that are not among `made` (ascending) and that constraints permit, in
 * ascending order; fewer if there are no more. If too many of the largest are excluded, it asks for twice as many, and
 * so on; on a large graph that is hardly ever needed.
 */
export async function strongestPermitted(
  pairs: PairBuffers,
  values: Tensor,
  count: number,
  constraints: Constraints | undefined,
  made: Flips = noFlips,
): Promise<Flips> {
  for (let asked = count; ; asked *= 2) {
    const holdsAll = asked >= pairs.length;
    const found = await pairsAt(values.backend, pairs, await largest(values, holdsAll ? pairs.length : asked));
    const fresh = firstWithout(made, found, count, constraints);
    if (holdsAll || fresh.sources.length === count) return ascending(fresh);
  }
}
