// Writes the names of the code into dist/, which holds no sources to take them from.
import { writeFileSync } from "node:fs";
import { CODE_HASH_FILE, type CodeHashes, hashSources } from "../src/experiment/study/code-hash.ts";

const hashes: CodeHashes = { training: hashSources("src", "training"), attack: hashSources("src", "attack") };
writeFileSync(`dist/${CODE_HASH_FILE}`, `${JSON.stringify(hashes)}\n`);
