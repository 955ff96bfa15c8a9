// Writes the names of the code into dist/, which holds no sources to take them from.
import { writeFileSync } from "node:fs";
import { CODE_HASH_FILE, hashAll } from "../src/experiment/study/code-hash.ts";

writeFileSync(`dist/${CODE_HASH_FILE}`, `${JSON.stringify(hashAll("src"))}\n`);
