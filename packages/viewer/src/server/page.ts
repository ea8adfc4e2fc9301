import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { SpanStore } from "../store/spans.js";
import { type Asset, imports, readAssets } from "./assets.js";
import { isForeign, isLocal } from "./local.js";

/** The most runs that a list has. */
const MOST_RUNS = 500;
/** The time for which changes are gathered before the page is told, in milliseconds. */
const GATHER_MS = 100;

/** Serves the page and what it asks for. Its files are anybody's on this machine; what agents did takes the token of the address. */
export function pageServer(store: SpanStore, token: string): (port: number) => RequestListener {
  const assets = readAssets();
  return (port) => (request, response) => {
    for (const [name, value] of Object.entries(always)) response.setHeader(name, value);
    if (!isLocal(request, port) || isForeign(request, port))
      return end(response, 403, "This page is for this machine alone.");
    if (request.method !== "GET") return end(response, 405, "There is nothing to send here.");
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const asset = assets.get(pathname);
    if (asset !== undefined) return file(response, asset);
    if (pathname === "/") return document(response);
    if (!pathname.startsWith("/api/")) return end(response, 404, "There is no such page.");
    if (!isTold(request, token))
      return end(response, 401, "Open the address that the command printed: it holds the token.");
    if (pathname === "/api/live") return live(store, response);
    if (pathname === "/api/runs") return json(response, runsFor(store, searchParams.get("q") ?? ""));
    const spans = store.spans(pathname.slice("/api/runs/".length));
    if (spans === undefined) return end(response, 404, "There is no such run, or it made room for newer ones.");
    json(response, { spans });
  };
}

const always = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
};

const runsFor = (store: SpanStore, query: string): object => ({
  runs: query.trim() === "" ? store.runs(MOST_RUNS) : store.search(query.slice(0, 1000), MOST_RUNS),
  size: store.size,
});

/** The page: no script but its own, no request to anywhere else, whatever an agent said. */
function document(response: ServerResponse): void {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ];
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy.join("; ") });
  response.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Runs</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<script type="importmap" nonce="${nonce}">${JSON.stringify({ imports })}</script>
<script type="module" src="/page/main.js"></script>
</head>
<body><noscript>This page needs JavaScript.</noscript></body>
</html>
`);
}

/** Runs as they change, a line of JSON each time, until the reader leaves. */
function live(store: SpanStore, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  let told = store.changes;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    timer = undefined;
    if (response.writableNeedDrain) return; // a reader who is slow is told all at once, later
    const runs = store.runs(MOST_RUNS, told);
    told = store.changes;
    response.write(`${JSON.stringify({ runs, size: store.size })}\n`);
  };
  const changed = (): void => {
    timer ??= setTimeout(tell, GATHER_MS);
  };
  response.on("drain", changed);
  const stop = store.onChange(changed);
  response.once("close", () => {
    stop();
    clearTimeout(timer);
  });
  response.write(`${JSON.stringify({ runs: [], size: store.size })}\n`);
}

/** Whether a request holds the token, compared in constant time. */
function isTold({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const json = (response: ServerResponse, value: unknown): void => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
};

const file = (response: ServerResponse, { type, body }: Asset): void => {
  response.writeHead(200, { "content-type": type }).end(body);
};

const end = (response: ServerResponse, status: number, message: string): void => {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${message}\n`);
};
