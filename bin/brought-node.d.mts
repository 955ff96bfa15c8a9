/** As package.json says under `engines`. */
export const OLDEST_NODE: readonly [number, number];
/** Whether a version such as 24.1.0 is new enough. */
export function isRecent(version: string): boolean;
/** The npm package that holds the Node binary for this machine. */
export function nodePackage(): string;
/** The path of that binary in a clone, whether it is there or not. */
export function broughtNode(root: string): string;
