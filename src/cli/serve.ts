import { join } from "node:path";
import { Command } from "commander";
import { check } from "../core/errors.ts";
import { makeReport } from "../serve/report/make-report.ts";
import { type RunningServer, startServer } from "../serve/start-server.ts";
import { moduleBeside } from "../serve/threads/module-beside.ts";
import { wholeNumber } from "./number-options.ts";
import { openBrowser } from "./open-browser.ts";
import { given } from "./options.ts";
import { artefactsBeside, DEFAULT_STORE } from "./store-place.ts";

interface ServeFlags {
  readonly store: string;
  readonly artefacts?: string;
  readonly port?: number;
  readonly host?: string;
  readonly open: boolean;
  readonly dataDir?: string;
  readonly workers?: number;
}

/** The first port that is tried: RGNN on the keys of a telephone. The next ones follow if it is taken. */
const FIRST_PORT = 7466;
const MOST_PORTS = 20;

/** `rgnn serve` */
export function serveCommand(): Command {
  return new Command("serve")
    .description("Show studies, runs and attacks in the browser, live, and start studies from there")
    .option("--store <place>", "a file, or postgres://user:password@host/database", DEFAULT_STORE)
    .option("--artefacts <folder>", "trained models and flips (default: artefacts beside the store)")
    .option("--port <n>", `where to listen (default: ${FIRST_PORT}, or the next that is free)`, wholeNumber)
    .option("--host <address>", "listen here, for other machines too; a token is needed then (default: 127.0.0.1)")
    .option("--no-open", "do not open the browser")
    .option("--data-dir <folder>", "look here for graphs, instead of $RGNN_DATA; studies may name files in it")
    .option("--workers <n>", "processes of a study (default: as rgnn run chooses them)", wholeNumber)
    .addHelpText("after", "\nExample:\n  rgnn serve --store rgnn-results/store.sqlite --port 8000 --no-open")
    .action(run);
}

async function run(flags: ServeFlags): Promise<void> {
  const { store: place, port, host, dataDir, workers, artefacts = artefactsBeside(place) } = flags;
  check(port === undefined || port < 65_536, () => `--port must be below 65536, got ${port}`);
  check(workers === undefined || workers > 0, () => `--workers must be 1 or more, got ${workers}`);
  const ports = port === undefined ? Array.from({ length: MOST_PORTS }, (_, k) => FIRST_PORT + k) : [port];
  const token = process.env["RGNN_TOKEN"];
  const server = await startServer({
    place,
    artefacts,
    ports,
    web: join(import.meta.dirname, "..", "..", "dist", "web"),
    report: makeReport,
    lab: { module: moduleBeside(import.meta.url, "../files/open-lab") },
    ...given({ host, dataDir, workers, token }),
  });
  console.log(`The dashboard is at ${server.url}`);
  if (server.token !== null) console.log("Whoever has this address can use it; it is shown this once.");
  console.log("Ctrl-C ends it; studies that run go on when it is started again.");
  if (flags.open && server.token === null) openBrowser(server.url); // other users could read a token among the arguments of a process
  await untilStopped(server);
}

/** Waits for SIGINT (Ctrl-C) or SIGTERM, and shuts the server down; a second signal ends the process at once. */
async function untilStopped(server: RunningServer): Promise<void> {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const signal = await new Promise<string>((resolve) => {
    for (const each of signals) process.once(each, () => resolve(each));
  });
  for (const each of signals) process.once(each, () => process.exit(130));
  console.error(`\n${signal}: stopping; what is done so far is kept`);
  await server.close();
  for (const each of signals) process.removeAllListeners(each);
}
