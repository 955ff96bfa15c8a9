import { Voters } from "../../certify/voters.ts";
import type { GraphView } from "../../tensor/index.ts";
import type { VoteTask } from "./collect-votes.ts";

/** Where the noisy graphs will be drawn, and how many of them are counted at a time. */
export type VotingPlan = Pick<Voters, "drawings" | "batch">;

export function votingPlan(
  view: GraphView,
  { models, noise, noiseSeed }: Pick<VoteTask, "models" | "noise" | "noiseSeed">,
): VotingPlan {
  const classifiers = models.map(({ model }) => model);
  const voters = new Voters(classifiers, view, noise, noiseSeed);
  const { drawings, batch } = voters;
  voters.dispose();
  return { drawings, batch };
}
