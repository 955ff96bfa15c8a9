import type { LabCall, LabRequest, LabResult } from "rgnn/lab";
import { type CallOptions, Cancelled, type LabConnection, type LabProgress } from "./connection.ts";

/** A line of an answer. */
type Line =
  | { readonly progress: LabProgress }
  | { readonly result: unknown }
  | { readonly error: string; readonly kind?: string };

/** A lab on the server of the page, one for each tab; closing a connection cancels its call. */
export function labOverHttp(): LabConnection {
  const tab = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  const headers = { "X-Rgnn-Lab": tab };
  addEventListener("pagehide", () => {
    fetch("/api/lab/close", { method: "POST", headers, keepalive: true }).catch(() => {}); // nobody is left to read an answer
  });
  return {
    async call<Name extends LabCall>(name: Name, request: LabRequest<Name>, { progress, signal }: CallOptions = {}) {
      const message = bodyOf(name, request);
      const response = await fetch(`/api/lab/${name}`, {
        method: "POST",
        headers: { ...headers, ...message.headers },
        body: message.body,
        ...(signal && { signal }),
      }).catch((error: unknown) => {
        throw signal?.aborted
          ? new Cancelled()
          : new Error(`The server does not answer. Is it still running? (${error})`);
      });
      for await (const line of linesOf(response, signal)) {
        if ("result" in line) return line.result as LabResult<Name>;
        if ("progress" in line) progress?.(line.progress);
        else throw line.kind === "cancelled" ? new Cancelled() : new Error(line.error);
      }
      throw new Error("The server ended before it answered. Try again.");
    },
  };
}

/** Files travel as a form, everything else as JSON. */
function bodyOf(name: LabCall, request: unknown): { body: BodyInit; headers: Record<string, string> } {
  if (name !== "graph") {
    return { body: JSON.stringify(request), headers: { "Content-Type": "application/json" } };
  }
  const form = new FormData();
  const { files } = request as LabRequest<"graph">;
  for (const file of files) form.append("files", new Blob([new Uint8Array(file.bytes)]), file.name);
  return { body: form, headers: {} };
}

async function* linesOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<Line> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw signal?.aborted ? new Cancelled() : error;
    });
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : lines.pop()!;
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as Line;
    if (done) return;
  }
}
