import type { Problem } from "../../serve/protocol.ts";

/** Gets JSON from the server; throws an error with the message of a `Problem`. */
export async function getJson<T>(path: string): Promise<T> {
  return answerOf<T>(await fetch(path));
}

export async function postJson<T>(path: string, body: object = {}): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return answerOf<T>(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

/** Hands a study file to the server. */
export async function postStudy<T>(text: string): Promise<T> {
  const headers = { "Content-Type": "application/yaml" };
  return answerOf<T>(await fetch("/api/studies", { method: "POST", headers, body: text }));
}

async function answerOf<T>(response: Response): Promise<T> {
  const answer = (await response.json()) as T | Problem;
  if (response.ok) return answer as T;
  const { error, line } = answer as Problem;
  throw new Error(line === undefined ? error : `Line ${line}: ${error}`);
}
