// Which Node is new enough, and where `npm start` puts one if it is not. Runs on Node 20, so it is plain JavaScript.
import { join } from "node:path";

/** As package.json says under `engines`. */
export const OLDEST_NODE = [22, 18];

/** Whether a version such as 24.1.0 is new enough. */
export function isRecent(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** The npm package that holds the Node binary for this machine. */
export function nodePackage() {
  return `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
}

/** The path of that binary in a clone, whether it is there or not. */
export function broughtNode(root) {
  const name = process.platform === "win32" ? "node.exe" : "node";
  return join(root, ".node", "node_modules", nodePackage(), "bin", name);
}
