import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach } from "@jest/globals";
import { startViewer, type Viewer, type ViewerOptions } from "@suite/viewer";
import type { Span } from "../src/run/span.js";

const viewers: Viewer[] = [];
afterEach(async () => {
  for (const viewer of viewers.splice(0)) await viewer.close();
});

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true, force: true }))));

/** An empty folder, gone when the tests of the file are over. */
export async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "viewer-"));
  folders.push(made);
  return made;
}

/** A viewer on ports of its own, which ends with the test. */
export async function viewer(options: ViewerOptions = {}): Promise<Viewer> {
  const started = await startViewer({ port: 0, otlpPort: 0, ...options });
  viewers.push(started);
  return started;
}

/** Asks the page server as the page does. */
export async function ask(shown: Viewer, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const url = new URL(shown.url);
  return fetch(new URL(path, url), {
    headers: { authorization: `Bearer ${url.searchParams.get("token")}`, ...headers },
  });
}

/** Sends a request of OTLP. */
export const send = (
  { endpoint }: Viewer,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { "content-type": "application/json" },
  path = "/v1/traces",
): Promise<Response> => fetch(`${endpoint}${path}`, { method: "POST", headers, body });

let made = 0;
const hex = (bytes: number): string => (++made).toString(16).padStart(2 * bytes, "0");

/** A span; by default the root of a trace of its own. */
export const span = (more: Partial<Span> = {}): Span => ({
  traceId: hex(16),
  spanId: hex(8),
  name: "invoke_agent support",
  start: 1_700_000_000_000,
  end: 1_700_000_000_100,
  status: "unset",
  attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "support" },
  events: [],
  links: [],
  resource: {},
  scope: "",
  ...more,
});

const nanos = (milliseconds: number): string => `${BigInt(Math.round(milliseconds)) * 1_000_000n}`;
const attributesOf = (attributes: Span["attributes"]) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === "number"
        ? { intValue: `${value}` }
        : typeof value === "boolean"
          ? { boolValue: value }
          : { stringValue: String(value) },
  }));

/** The request that sends these spans, as JSON. */
export const requestOf = (...spans: readonly Span[]): string =>
  JSON.stringify({
    resourceSpans: spans.map(({ resource, scope, ...each }) => ({
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [
        {
          scope: { name: scope },
          spans: [
            {
              ...each,
              startTimeUnixNano: nanos(each.start),
              endTimeUnixNano: nanos(each.end),
              status: { code: { unset: 0, ok: 1, error: 2 }[each.status], message: each.statusMessage },
              attributes: attributesOf(each.attributes),
              events: each.events.map((event) => ({
                name: event.name,
                timeUnixNano: nanos(event.time),
                attributes: attributesOf(event.attributes),
              })),
              links: each.links.map((link) => ({ ...link, attributes: attributesOf(link.attributes) })),
            },
          ],
        },
      ],
    })),
  });
