// A thread that answers questions about a store: SQLite blocks the thread that asks it, and averages over many runs take time.
import { parentPort, workerData } from "node:worker_threads";
import { openRunStore } from "../../experiment/store/open-run-store.ts";
import { answerCalls } from "../threads/answer-calls.ts";
import { storeAnswers } from "./store-answers.ts";

const answers: Readonly<Record<string, (...args: never[]) => Promise<unknown>>> = storeAnswers(
  await openRunStore(workerData as string),
);
answerCalls(parentPort!, (name, args) => answers[name](...(args as never[])));
