/** Kernels that cannot be composed of others: push goes from node to node, and only the CPU has it. */
export const onlyCpu = [
  "localPageRank > finds the rows of PageRank that push finds on a weighted graph",
  "localPageRank > chooses by the symmetric version",
  "localPageRank > fills up short rows with nothing",
  "localPageRank > keeps all nodes of a row",
  "localPageRank > approaches rows that sum to 1, weighed by the roots of the degrees",
  "sandwich > multiplies from both sides for any pairs, and on the diagonal",
].map((name) => ({ test: name, reason: "push runs on the CPU alone" }));
