import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ViewerError } from "../errors.js";
import { answer, live, type Sources } from "./api.js";
import { type Asset, type Assets, readAssets } from "./assets.js";
import { Bodies } from "./body.js";
import { type Service, urlOf } from "./boundary.js";
import { isForeign, isLocal } from "./local.js";
import { sendJson } from "./send.js";

/** Serves the page and its data. The files of the page need no token; data of agents need the token of the address. */
export function pageServer(sources: Sources, token: string): (port: number) => Service {
  const assets = readAssets();
  const bodies = new Bodies();
  const answerAt = async (port: number, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for (const [name, value] of Object.entries(always)) response.setHeader(name, value);
    if (!isLocal(request, port) || isForeign(request, port))
      return end(response, 403, "This page can only be opened on this machine.");
    const url = urlOf(request);
    if (url === undefined) return end(response, 400, "This is not the address of a page.");
    if (request.method === "POST" && url.pathname.startsWith(approvalsPath)) {
      const id = url.pathname.slice(approvalsPath.length);
      return decided(sources, token, { id, request, response, bodies });
    }
    if (request.method !== "GET") return end(response, 405, "This path does not accept this method.");
    const asset = assets.files.get(url.pathname);
    if (asset !== undefined) return file(response, asset);
    if (url.pathname === "/") return document(response, assets, sources);
    if (!url.pathname.startsWith("/api/")) return end(response, 404, "The page does not exist.");
    if (!hasToken(request, token))
      return end(response, 401, "Open the address that the command printed. It contains the token.");
    if (url.pathname === "/api/live") return live(sources.store, response);
    const value = await answer(sources, url);
    return value === undefined ? end(response, 404, notHere) : sendJson(response, value);
  };
  return (port) => ({
    answer: (request, response) => answerAt(port, request, response),
    refuse: (response) => end(response, 500, "The viewer failed."),
  });
}

const approvalsPath = "/api/approvals/";

const notHere = "The run does not exist, or was removed for newer ones.";

interface SentDecision {
  /** The id of the request, from the address. */
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bodies: Bodies;
}

/**
 * Keeps a person's decision on an approval. It requires the token, and JSON, which a form of another page cannot send.
 */
async function decided({ approvals }: Sources, token: string, sent: SentDecision): Promise<void> {
  const { id, request, response, bodies } = sent;
  if (approvals === undefined) return end(response, 404, "Decisions are disabled: start the viewer with --approve.");
  if (!hasToken(request, token)) return end(response, 401, "The token of the address is missing.");
  if (request.headers["content-type"] !== "application/json") return end(response, 415, "A decision must be JSON.");
  let stored: object;
  try {
    const decision: unknown = await bodies.use(request, (body) => JSON.parse(body.toString()));
    stored = await approvals.decide(decodeURIComponent(id), decision);
  } catch (error) {
    return end(response, 409, ViewerError.is(error) ? error.message : "The body is not a decision.");
  }
  return sendJson(response, stored);
}

const always = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
};

/** Sends the page. Its content security policy allows only the viewer's scripts, and requests to the viewer. */
function document(response: ServerResponse, { imports, first }: Assets, { audit, approvals, endpoint }: Sources): void {
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
<html lang="en" data-endpoint="${endpoint}"${audit === undefined ? "" : " data-audit"}${approvals === undefined ? "" : " data-approve"}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Runs</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<script type="importmap" nonce="${nonce}">${JSON.stringify({ imports })}</script>
${first.map((path) => `<link rel="modulepreload" href="${path}">`).join("\n")}
<script type="module" src="/page/main.js"></script>
</head>
<body><noscript>This page needs JavaScript.</noscript></body>
</html>
`);
}

/** Returns true if a request has the token. Compares in constant time. */
function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const received = Buffer.from(headers.authorization ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

const file = (response: ServerResponse, { type, body }: Asset): void => {
  const bytes = body();
  response.writeHead(200, { "content-type": type }).end(bytes);
};

const end = (response: ServerResponse, status: number, message: string): void => {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${message}\n`);
};
