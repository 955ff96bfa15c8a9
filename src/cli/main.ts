#!/usr/bin/env node
import { complaintAbout } from "./node-version.ts";
import { runCli } from "./run.ts";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(); // the reader of the output, such as head, has closed the pipe
  console.error(`rgnn: the result cannot be written to stdout (${error.code}); is the disk full?`);
  process.exit(1);
});
const complaint = complaintAbout(process.versions.node);
if (complaint) console.error(complaint);
process.exitCode = complaint ? 2 : await runCli(process.argv.slice(2));
