// Writes the hashes of the code into dist/: without the sources they cannot be computed there.
import { writeFileSync } from "node:fs";
import { CODE_HASH_FILE, hashAll } from "../src/experiment/study/code-hash.ts";

writeFileSync(`dist/${CODE_HASH_FILE}`, `${JSON.stringify(hashAll("src"))}\n`);
