import { Rng } from "../../core/rng.ts";
import { WeightedChoice } from "../../core/weighted-choice.ts";
import { type Csr, csrFromEntries } from "../../graph/csr.ts";
import { Graph } from "../../graph/graph.ts";
import { symmetrise } from "../../graph/symmetrise.ts";

/** Class sizes of Cora ML's largest component. */
const CLASS_SIZES = [348, 393, 440, 407, 781, 150, 291];
const NUM_EDGES = 7981;
const NUM_WORDS = 2879;
const WORDS_PER_NODE = 50.6;

/**
 * Parameters that make the graph as hard as Cora ML. Measured on the graphs of seeds 0 to 9 with two splits each, 20
 * training nodes per class: a two-layer GCN (hidden 64) classifies .81 to .84 of the test nodes, an MLP .49 to .61.
 * Papers between fields limit the accuracy of any model; how strongly a field prefers its words determines how well
 * words alone do.
 */
const BETWEEN_FIELDS = 0.7; // chance that the least cited paper leans to a second field; falls to 0 for the most cited
const STRAY_CITATIONS = 0.1; // share of the citations that ignore fields
const FIELD_VOCABULARY = 0.1; // share of all words that a field prefers
const FIELD_PREFERENCE = 4.8; // how much more often it uses them
const LENGTH_SPREAD = 0.45; // standard deviation of the logarithm of a paper's number of words
const COMMON_WORDS = 10; // Zipf's law is flat below about this rank

/**
 * A made-up citation graph of Cora ML's size, built in so that nothing needs to be downloaded: connected and
 * undirected, a few papers cited very often, most citations within a field, sparse words of Euclidean norm 1 that hint
 * at the field. The same seed gives the same graph.
 */
export function syntheticCitation(seed = 0): Graph {
  const rng = new Rng(seed);
  const papers = drawPapers(rng.fork());
  return new Graph({
    name: "synthetic-citation",
    adjacency: drawCitations(papers, rng.fork()),
    features: drawWords(papers, rng.fork()),
    labels: papers.field,
    numClasses: CLASS_SIZES.length,
    directed: false,
  });
}

interface Papers {
  readonly count: number;
  /** The class of each paper. */
  readonly field: Int32Array;
  /** The class that a paper between fields borrows from, and how often it does: 0 for a paper of one field. */
  readonly secondField: Int32Array;
  readonly leaning: Float64Array;
  /** Papers in the order in which they appear, the most attractive first, and how often each tends to be cited. */
  readonly ranking: Int32Array;
  readonly propensity: Float64Array;
}

function drawPapers(rng: Rng): Papers {
  const field = rng.shuffle(Int32Array.from(CLASS_SIZES.flatMap((size, c) => new Array<number>(size).fill(c))));
  const count = field.length;
  const sizes = new WeightedChoice(CLASS_SIZES);
  const secondField = field.map(() => sizes.draw(rng));
  const ranking = rng.shuffle(Int32Array.from({ length: count }, (_, paper) => paper));
  const propensity = new Float64Array(count);
  const leaning = new Float64Array(count);
  // quantiles of a power law rather than draws from it, so that every seed has hubs; the offset lowers its tail
  ranking.forEach((paper, rank) => {
    if (rng.uniform() < (BETWEEN_FIELDS * rank) / count) leaning[paper] = rng.uniform();
    propensity[paper] = ((rank + 0.5) / count) ** -0.5 - 0.8;
  });
  return { count, field, secondField, leaning, ranking, propensity };
}

/**
 * Papers appear by rank. Each cites an earlier one, which connects the graph; then more are cited up to NUM_EDGES
 * edges.
 */
function drawCitations(papers: Papers, rng: Rng): Csr {
  const { count, ranking, propensity } = papers;
  const pools = CLASS_SIZES.map((_, c) => {
    return new WeightedChoice(Array.from(ranking, (paper) => propensity[paper] * membership(papers, paper, c)));
  });
  const all = new WeightedChoice(Array.from(ranking, (paper) => propensity[paper]));
  const edges = new Set<number>();
  /** Adds a citation of one of the first `earlier` papers by rank, in the citing paper's field unless it strays. */
  const cite = (paper: number, earlier: number) => {
    const strays = rng.uniform() < STRAY_CITATIONS;
    const rank = (strays ? all : pools[drawField(papers, paper, rng)]).draw(rng, earlier);
    const cited = ranking[rank < 0 ? all.draw(rng, earlier) : rank]; // −1: no paper of that field has appeared yet
    if (cited !== paper) edges.add(Math.min(paper, cited) * count + Math.max(paper, cited));
  };
  for (let rank = 1; rank < count; rank++) cite(ranking[rank], rank);
  while (edges.size < NUM_EDGES) cite(ranking[all.draw(rng)], count);
  const pairs = [...edges];
  const sources = pairs.map((pair) => Math.floor(pair / count));
  const targets = pairs.map((pair) => pair % count);
  return symmetrise(csrFromEntries(count, count, sources, targets));
}

/** Words by Zipf's law, more often those that the paper's field prefers; rare words weigh more, rows have norm 1. */
function drawWords(papers: Papers, rng: Rng): Csr {
  const common = rng.shuffle(Int32Array.from({ length: NUM_WORDS }, (_, word) => word)); // rank of each word
  const vocabularies = CLASS_SIZES.map(() => {
    const weights = Array.from(common, (rank) => {
      return (rng.uniform() < FIELD_VOCABULARY ? FIELD_PREFERENCE : 1) / (rank + COMMON_WORDS);
    });
    return new WeightedChoice(weights);
  });
  const rows: number[] = [];
  const cols: number[] = [];
  const usedBy = new Int32Array(NUM_WORDS);
  for (let paper = 0; paper < papers.count; paper++) {
    const length = Math.max(
      5,
      Math.round(WORDS_PER_NODE * Math.exp(LENGTH_SPREAD * rng.normal() - LENGTH_SPREAD ** 2 / 2)),
    );
    const words = new Set<number>();
    while (words.size < length) words.add(vocabularies[drawField(papers, paper, rng)].draw(rng));
    for (const word of words) {
      rows.push(paper);
      cols.push(word);
      usedBy[word]++;
    }
  }
  const values = cols.map((word) => Math.log(papers.count / usedBy[word]));
  return normaliseRows(csrFromEntries(papers.count, NUM_WORDS, rows, cols, values));
}

/** How much a paper belongs to field `c`, in [0, 1]. */
function membership({ field, secondField, leaning }: Papers, paper: number, c: number): number {
  return (field[paper] === c ? 1 - leaning[paper] : 0) + (secondField[paper] === c ? leaning[paper] : 0);
}

/** The field that a paper follows for one citation or word. */
function drawField({ field, secondField, leaning }: Papers, paper: number, rng: Rng): number {
  return rng.uniform() < leaning[paper] ? secondField[paper] : field[paper];
}

function normaliseRows(A: Csr): Csr {
  const values = A.values!.slice();
  for (let i = 0; i < A.numRows; i++) {
    const row = values.subarray(A.rowPtr[i], A.rowPtr[i + 1]);
    const norm = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
    for (let e = 0; e < row.length; e++) row[e] /= norm;
  }
  return { ...A, values };
}
