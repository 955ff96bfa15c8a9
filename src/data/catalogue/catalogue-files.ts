/** A file of a dataset: where it goes in a data folder, where it is published and how to check that it is complete. */
export interface DataFile {
  /** Relative to the data folder. */
  readonly path: string;
  /** Tried in turn. */
  readonly addresses: readonly string[];
  readonly bytes?: number;
  readonly sha256?: string;
}

/** A file at a fixed commit of a GitHub repository (`owner/name/commit/folder`), from two servers. */
export function githubFile(place: string, file: string, folder: string, bytes: number, sha256: string): DataFile {
  const [owner, name, commit, ...folders] = place.split("/");
  const inside = [...folders, file].join("/");
  return {
    path: `${folder}/${file}`,
    addresses: [
      `https://raw.githubusercontent.com/${owner}/${name}/${commit}/${inside}`,
      `https://cdn.jsdelivr.net/gh/${owner}/${name}@${commit}/${inside}`,
    ],
    bytes,
    sha256,
  };
}

const PLANETOID = "kimiyoung/planetoid/af6abf468a772cc055bec88c52e4d6f51b7c37e3/data";

const PLANETOID_PARTS: Readonly<Record<string, readonly (readonly [part: string, bytes: number, sha256: string])[]>> = {
  cora: [
    ["y", 4054, "94465c14eb53e04ca262198dcbb2521ee8af60fb3f3d546cd6ca24a511b0e7d1"],
    ["tx", 148025, "b9afbaa4a400df991f6f02ef677e1e44da55ffc04801fd02f9e673987829226a"],
    ["ty", 28135, "41f5ac76596a1699cc33f53084a2419e92961c42bb75f36fc38e616d348532ad"],
    ["allx", 257305, "9419ba2f26f5c35243db64aba110e0f35a04851609e0dc5433450676ca6b8543"],
    ["ally", 47959, "2b998f5cc7fedc86e7f97ca2498f47a1ffc1462c29e2d578b23bf3f62b6e7d71"],
    ["graph", 59847, "58f13302f39dde8852dad6fe6d15b89b077b6d7f837626bce671ef80344b383d"],
    ["test.index", 5000, "297ce89af2b51a6a194181c7dbe1796c6a1cf9cd9349a88383b1b1e227867875"],
  ],
  pubmed: [
    ["y", 854, "e6c807633307a07ed659249006536a147c7999c797f11a2560752990181b41b3"],
    ["tx", 405505, "4eb5f5d0f30f26497eb0ac6ac9719d09c67e284f1ed0385c93f3ef27a671da3d"],
    ["ty", 12135, "ee2e0d4819d9fbcc403689c3bf2e49face401b605932f093bc58ab6461130fdd"],
    ["ally", 224739, "0c37bbe3b5014ec365e9d393cf4791925e5ed94fb194305d74f064a8d7b50f0e"],
    ["graph", 471808, "5b89f0036ca22909471f1e6558eb42fa06e0c730a577bde5b058b40638f81dc9"],
    ["test.index", 6000, "b101d421688bbaecbd82e8a18f1e282378d6830f3a37666f28ebc47f844341b5"],
    ["allx", 7578385, "508e538e2abdccdd54c4d3e9f49d638b4af7107d85845f66ddea5a5152658b7e"],
  ],
};

/** The files `ind.<name>.*` that the reader needs. */
export function planetoidFiles(name: string, folder: string): readonly DataFile[] {
  return PLANETOID_PARTS[name].map(([part, bytes, sha256]) =>
    githubFile(PLANETOID, `ind.${name}.${part}`, folder, bytes, sha256),
  );
}
