import type { IncomingMessage } from "node:http";

const names = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Returns true if the `host` header names this machine. A foreign page can make its domain resolve to this machine (DNS
 * rebinding), and its browser then sends that domain.
 */
export function isLocal({ headers }: IncomingMessage, port: number): boolean {
  const { host = "" } = headers;
  return names.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

/** Returns true if a request comes from a page of another origin, by the headers that browsers send. */
export function isForeign({ headers }: IncomingMessage, port: number): boolean {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  return origin !== undefined && !names.some((name) => origin === `http://${name}:${port}`);
}
