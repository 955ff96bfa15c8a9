import { lookup } from "../../core/errors.ts";
import { type DataFile, githubFile, planetoidFiles } from "./catalogue-files.ts";

/**
 * Counts of a graph after preprocessing. A load that differs is an error, because its results could not be compared.
 */
export interface Statistics {
  readonly numNodes: number;
  /** Stored entries: an undirected edge counts twice. Absent where no published count is certain. */
  readonly numEntries?: number;
  readonly numFeatures: number;
  readonly numClasses: number;
}

/** A dataset that is known by name. */
export interface CatalogueEntry {
  readonly name: string;
  readonly about: string;
  /** Where it may lie inside a data folder, best first: a file, a folder or the prefix of Planetoid files. */
  readonly places: readonly string[];
  /** What `rgnn data get` downloads. Empty for a generated graph. */
  readonly files: readonly DataFile[];
  /** A .zip among `files` that is unpacked into the data folder. */
  readonly unpack?: boolean;
  /** Keep all components instead of the largest only, as is usual for the Open Graph Benchmark. */
  readonly allComponents?: boolean;
  /** Keep the directions of edges, unless the user asks otherwise. */
  readonly directed?: boolean;
  /** `random`: 20 nodes per class by seed. `public`: comes with the data. `masks`: ten that come with the data. */
  readonly split: "random" | "public" | "masks";
  readonly undirected: Statistics;
  readonly directedEntries?: number;
}

const stats = (numNodes: number, numEntries: number, numFeatures: number, numClasses: number): Statistics => ({
  numNodes,
  numEntries,
  numFeatures,
  numClasses,
});

const AUTHORS = "sigeisler/robustness_of_gnns_at_scale/d28a9a20794d221bb25657db2c7caa2b53d1032f/data";
const GNN_DATASETS = "CrawlScript/gnn_datasets/482d7152d60e429763ca256dd0906fa9badaae0c";
const HETEROPHILOUS = "yandex-research/heterophilous-graphs/a431395582e929d88271309716bea4fe24ce6318/data";

const citation: readonly CatalogueEntry[] = [
  {
    name: "cora_ml",
    about: "citations between machine learning papers, word features",
    places: ["cora_ml/cora_ml.npz", "cora_ml.npz"],
    files: [
      githubFile(
        AUTHORS,
        "cora_ml.npz",
        "cora_ml",
        1622498,
        "46b98cabc9c22c09de0d30140fbf68d004b21d2f05e234feb96ba6e84ec7c86a",
      ),
    ],
    split: "random",
    undirected: stats(2810, 15962, 2879, 7),
    directedEntries: 8229,
  },
  {
    name: "citeseer",
    about: "citations between computer science papers, word features",
    places: ["citeseer/citeseer.npz", "citeseer.npz"],
    files: [
      githubFile(
        AUTHORS,
        "citeseer.npz",
        "citeseer",
        1350874,
        "8d8aa684f48b8f6d9103b5c58a538cd34ef6af58c70dab4d8ad851f1e67161b1",
      ),
    ],
    split: "random",
    undirected: stats(2110, 7336, 3703, 6),
    directedEntries: 3705,
  },
  {
    name: "pubmed",
    about: "citations between papers on diabetes, weighted word features",
    places: ["pubmed/pubmed.npz", "pubmed.npz", "pubmed/ind.pubmed", "planetoid/ind.pubmed", "ind.pubmed"],
    files: planetoidFiles("pubmed", "pubmed"),
    split: "random",
    undirected: stats(19717, 88648, 500, 3),
  },
  {
    name: "cora",
    about: "Planetoid's Cora: citations between machine learning papers, word features",
    places: ["planetoid/ind.cora", "cora/ind.cora", "ind.cora"],
    files: planetoidFiles("cora", "planetoid"),
    split: "public",
    undirected: stats(2485, 10138, 1433, 7),
  },
];

const copurchaseAndCoauthor: readonly CatalogueEntry[] = (
  [
    [
      "amazon-computers",
      "AmazonElectronics",
      "computers bought together, words of reviews",
      3415347,
      "ef387b28234c0aae28f49a337d5ad4074ec31063ddd7650b8fd0ab986cecd155",
      stats(13381, 491556, 767, 10),
    ],
    [
      "amazon-photo",
      "AmazonElectronics",
      "cameras bought together, words of reviews",
      1778261,
      "9a1a31380c0480c87d4174f3e76e51956720da6e01ad5332b437e3dc99f11724",
      stats(7487, 238086, 745, 8),
    ],
    [
      "coauthor-cs",
      "Coauthor",
      "authors of computer science papers, keywords",
      2812812,
      "a69e43a2a3418c44e7660f1405c4298ac270ac57884a4318d1deb8861c6ec935",
      stats(18333, 163788, 6805, 15),
    ],
    [
      "coauthor-physics",
      "Coauthor",
      "authors of physics papers, keywords",
      3783431,
      "11ad3015c9c403786c14e820d6c1e16ea5fdfd63e39c63e2a2ff4990d7cc271d",
      stats(34493, 495924, 8415, 5),
    ],
  ] as const
).map(([name, folder, about, bytes, sha256, undirected]) => ({
  name,
  about,
  places: [`amazon_coauthor/${name}.zip`, `${name}/${name}.zip`, `${name}.zip`, `${name}.npz`],
  files: [githubFile(`${GNN_DATASETS}/${folder}`, `${name}.zip`, "amazon_coauthor", bytes, sha256)],
  split: "random" as const,
  undirected,
}));

const heterophilous: readonly CatalogueEntry[] = (
  [
    [
      "actor",
      "actors on one page, words of the page",
      252956,
      "c350eef06b2c2a9bf8218be2b57cac6d4003d0922eb597a039e9123f75817816",
      stats(7600, 53318, 932, 5),
    ],
    [
      "chameleon",
      "Wikipedia pages on chameleons",
      177840,
      "4c640bd2877fc4f9f101531e2f977bc16445a54e09a5cb01178df608e552f3fd",
      stats(2277, 62742, 2325, 5),
    ],
    [
      "chameleon_filtered",
      "chameleon without repeated nodes",
      58924,
      "bf46f07e1fb5249280447e5fe3100f3e82fc4b93ad1e13ffcfdec924b6ac0bb5",
      stats(890, 17708, 2325, 5),
    ],
    [
      "cornell",
      "web pages of Cornell",
      30515,
      "684c54ba3daa13b0ba1f04a3d6dd1b1175c1ae9bdeb982851fd4ff96d3aac298",
      stats(183, 554, 1703, 5),
    ],
    [
      "minesweeper",
      "a grid with hidden mines (synthetic)",
      135045,
      "e664c8dacf1e8ac466c2c09ed4b237bd2c5541f47a6eae9c6092cb87f16412b3",
      stats(10000, 78804, 7, 2),
    ],
    [
      "squirrel",
      "Wikipedia pages on squirrels",
      704277,
      "d436e3b42c0546b105241c0ab0766097074e68e55f67b133eeb9b0162e55cbd9",
      stats(5201, 396706, 2089, 5),
    ],
    [
      "squirrel_filtered",
      "squirrel without repeated nodes",
      208215,
      "f06370ffb3116c5de8b7a600005400b2293c025e0ce2f6916d8201a825505ac7",
      stats(2223, 93996, 2089, 5),
    ],
    [
      "texas",
      "web pages of Texas",
      28586,
      "b164b99e6c3d43e4ab07488ec59bd8c815f90cbc1bd4cf425ce587d2b534d844",
      stats(183, 558, 1703, 5),
    ],
    [
      "tolokers",
      "workers of a crowdsourcing platform",
      1329769,
      "dacf3ac94cec53d03cd2adb5255c08b33dee1656c33ca8164a464bd9450a1667",
      stats(11758, 1038000, 10, 2),
    ],
    [
      "wisconsin",
      "web pages of Wisconsin",
      41672,
      "2543c89838cfc75f737f7c4664cc1d097f8268602c20b2d1bd4f21407df9c074",
      stats(251, 900, 1703, 5),
    ],
  ] as const
).map(([name, about, bytes, sha256, undirected]) => ({
  name,
  about,
  places: [`heterophilous/${name}.npz`, `${name}/${name}.npz`, `${name}.npz`],
  files: [githubFile(HETEROPHILOUS, `${name}.npz`, "heterophilous", bytes, sha256)],
  split: "masks" as const,
  undirected,
}));

const openGraphBenchmark: readonly CatalogueEntry[] = (
  [
    [
      "ogbn-arxiv",
      "arxiv",
      "citations between arXiv papers",
      { numNodes: 169343, numEntries: 2315598, numFeatures: 128, numClasses: 40 },
      false,
    ],
    [
      "ogbn-products",
      "products",
      "products bought together",
      { numNodes: 2449029, numFeatures: 100, numClasses: 47 },
      false,
    ],
    [
      "ogbn-papers100M",
      "papers100M-bin",
      "citations between 111 million papers",
      { numNodes: 111059956, numFeatures: 128, numClasses: 172 },
      true,
    ],
  ] as const
).map(([name, folder, about, undirected, directed]) => ({
  name,
  about,
  places: [name, name.replace("-", "_"), folder, `ogb/${folder}`],
  files: [{ path: `${folder}.zip`, addresses: [`https://snap.stanford.edu/ogb/data/nodeproppred/${folder}.zip`] }],
  unpack: true,
  allComponents: true,
  directed,
  split: "public" as const,
  undirected,
}));

const builtIn: CatalogueEntry = {
  name: "synthetic-citation",
  about: "built in: a made-up citation graph of Cora ML's size and difficulty",
  places: [],
  files: [],
  split: "random",
  undirected: stats(2810, 15962, 2879, 7),
};

/** Every dataset that is known by name. */
export const catalogue: Readonly<Record<string, CatalogueEntry>> = Object.fromEntries(
  [builtIn, ...citation, ...copurchaseAndCoauthor, ...openGraphBenchmark, ...heterophilous].map((entry) => [
    entry.name,
    entry,
  ]),
);

/** The entry of a known name; an unknown one is an error that lists the known ones. */
export function findEntry(name: string): CatalogueEntry {
  return lookup(catalogue, name, "dataset");
}
