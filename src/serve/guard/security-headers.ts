import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

/** What browsers may do with our pages: scripts from here alone, no eval, no frames; isolated, so that they may use threads. */
export function securityHeaders(): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", "data:", "blob:"],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      workerSrc: ["'self'"],
      manifestSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    crossOriginEmbedderPolicy: "require-corp",
    crossOriginOpenerPolicy: "same-origin",
    crossOriginResourcePolicy: "same-origin",
    xFrameOptions: "DENY",
    strictTransportSecurity: false, // the server speaks http; a proxy that speaks https says so itself
  });
}

/** A report has its scripts and styles inside. It runs as a page of nobody: it cannot ask this server for anything. */
const REPORT_POLICY =
  "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src 'unsafe-inline'; " +
  "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Replaces the policy of other pages; to be used outside of {@link securityHeaders}. */
export function reportPolicy(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (c.res.headers.get("content-type")?.startsWith("text/html")) {
      c.res.headers.set("content-security-policy", REPORT_POLICY);
    }
  };
}
