import { isIP } from "node:net";
import { hostname } from "node:os";

/** Names by which a machine calls itself. */
const OWN_NAMES = ["localhost", "127.0.0.1", "::1"];

/** Whether a server that listens there can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return OWN_NAMES.includes(host.toLowerCase());
}

/**
 * Whether a request may come to us under the name in its `Host`. A page of another site can have its own name lead to this machine (DNS
 * rebinding) and would then count as ours; addresses in digits cannot be used in that way. `host` is where the server listens.
 */
export function isAllowedHost(header: string | undefined, host: string): boolean {
  const name = nameOf(header);
  if (name === null) return false;
  if (OWN_NAMES.includes(name)) return true;
  if (isLoopback(host)) return false;
  return isIP(name) !== 0 || name === host.toLowerCase() || name === hostname().toLowerCase();
}

/** The name in a `Host` header, without port and brackets; null if it is none. */
function nameOf(header: string | undefined): string | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header ?? "");
  return (match?.[1] ?? match?.[2])?.toLowerCase() ?? null;
}
