import type { Command } from "commander";
import { DataError } from "../core/errors.ts";
import { formatBytes } from "../experiment/readable-numbers.ts";
import { checkStore } from "../files/store/check-store.ts";
import { ProgressBar } from "./progress-bar.ts";

/** `rgnn data check <store>` */
export function addCheckCommand(data: Command): void {
  data
    .command("check")
    .description("Read all of a graph store and compare it with its checksums")
    .argument("<store>", "folder of the graph store")
    .option("--json", "print one JSON object instead of lines")
    .action(checkAll);
}

async function checkAll(store: string, { json }: { json?: boolean }): Promise<void> {
  const bar = new ProgressBar();
  const { header, bytes, damage } = await checkStore(store, bar).finally(() => bar.finish());
  if (json) console.log(JSON.stringify({ name: header.name, path: store, bytes, damage }));
  else if (damage.length === 0) console.log(`${store}: all ${formatBytes(bytes)} are as they were written`);
  for (const { message } of damage.slice(0, -1)) console.error(message);
  if (damage.length > 0) throw new DataError(damage.at(-1)!.message);
}
