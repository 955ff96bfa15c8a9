import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { isAllowedHost } from "./allowed-hosts.ts";
import { isSameToken } from "./token.ts";

/** Whom a server answers. */
export interface GuardOptions {
  /** Where it listens. */
  readonly host: string;
  /** Null: whoever can connect may come in. */
  readonly token: string | null;
}

/** Lets a request through, or answers it with the reason why not. */
export function guard({ host, token }: GuardOptions): MiddlewareHandler {
  return async (c, next) => {
    if (!isAllowedHost(c.req.header("host"), host)) {
      return refuse(c, 403, "the server is not known by this name; use the address that rgnn serve printed");
    }
    if (isForeign(c)) return refuse(c, 403, "the request comes from a page of another site");
    if (token !== null) {
      const answer = admit(c, token);
      if (answer) return answer;
    }
    return next();
  };
}

/**
 * Whether a page of another site has sent the request. Browsers say so; programs, which say nothing, could send what they like anyway.
 * Following a link from elsewhere to one of our pages is allowed.
 */
function isForeign(c: Context): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined) {
    const own = c.req.header("host")?.toLowerCase();
    return origin.toLowerCase() !== `http://${own}` && origin.toLowerCase() !== `https://${own}`;
  }
  const site = c.req.header("sec-fetch-site");
  if (site === undefined || site === "same-origin" || site === "none") return false;
  const isLink =
    c.req.method === "GET" && c.req.header("sec-fetch-mode") === "navigate" && !c.req.path.startsWith("/api/");
  return !isLink;
}

/** Nothing for those who have the token. One in the address becomes a cookie, so that it stays out of histories and referrers. */
function admit(c: Context, token: string): Response | undefined {
  const { protocol, pathname, searchParams, port } = new URL(c.req.url);
  const name = `rgnn-${port}`; // cookies do not tell ports apart
  const given = searchParams.get("token");
  if (given !== null) {
    if (!isSameToken(given, token)) return refuse(c, 401, "the token in the address is not that of this server");
    setCookie(c, name, token, { httpOnly: true, sameSite: "Strict", path: "/", secure: protocol === "https:" });
    searchParams.delete("token");
    const rest = searchParams.size > 0 ? `?${searchParams}` : "";
    return c.redirect(pathname.replace(/^\/+/, "/") + rest, 303); // `//name` would lead to another machine
  }
  const bearer = /^Bearer (\S+)$/.exec(c.req.header("authorization") ?? "")?.[1];
  const shown = bearer ?? getCookie(c, name);
  if (shown !== undefined && isSameToken(shown, token)) return undefined;
  return refuse(c, 401, "a token is needed; open the address that rgnn serve printed");
}

function refuse(c: Context, status: 401 | 403, error: string): Response {
  return c.json({ error }, status);
}
