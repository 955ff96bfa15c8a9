// Runs a job, given as JSON, in Node.
import { trainAndAttack } from "./job.ts";

console.log(JSON.stringify(await trainAndAttack(JSON.parse(process.argv[2]))));
