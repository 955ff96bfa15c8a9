import { spawn } from "node:child_process";
import { platform } from "node:os";

/** Programs that open an address in the browser. Started without a shell, which would interpret the address. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: "open", win32: "explorer" };

/** Opens an address in the browser; where there is none, nothing happens. */
export function openBrowser(url: string): void {
  const opener = OPENERS[platform()] ?? "xdg-open";
  const child = spawn(opener, [url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
