#!/usr/bin/env node
import { runCli } from "./run.ts";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(); // whoever read the output, such as head, has seen enough
});
process.exitCode = await runCli(process.argv.slice(2));
