import { readFile } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";
import { isRecord } from "@suite/kit";
import { httpUrl, otlpFailure, otlpHeaders, otlpUrl } from "@suite/kit/otlp";
import { type Finding, note, ok, wrong } from "./finding.js";

type Env = Readonly<Record<string, string | undefined>>;

const SUBJECT = "collector";
const DEFAULT = "http://localhost:4318";
const MOST_MS = 5000;
/** The most characters of a response that are read. Receivers send short ones. */
const MOST_ANSWER = 100_000;

/** Checks that the exporters' collector accepts OTLP over HTTP, with a request without a span. */
export async function checkCollector(env: Env): Promise<Finding> {
  const named = variable(env, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") ?? variable(env, "OTEL_EXPORTER_OTLP_ENDPOINT");
  const url = addressOf(env);
  if (url === undefined)
    return wrong(
      SUBJECT,
      "OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https address.",
      `set it, for example to ${DEFAULT}`,
    );
  const displayUrl = `${url.origin}${url.pathname}`;
  const reason = await reasonOf(url, env);
  if (named === undefined) return unnamed(displayUrl, reason);
  if (reason === undefined) return ok(SUBJECT, `${displayUrl} takes traces`);
  return wrong(SUBJECT, `${displayUrl}: ${reason}`, adviceFor(reason));
}

const variable = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

/** Returns the address for traces, by the rules of OpenTelemetry's exporters. */
function addressOf(env: Env): URL | undefined {
  const tracesEndpoint = variable(env, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  return tracesEndpoint !== undefined
    ? httpUrl(tracesEndpoint)
    : otlpUrl(variable(env, "OTEL_EXPORTER_OTLP_ENDPOINT") ?? DEFAULT, "traces");
}

/** Returns the finding for a missing endpoint variable: without one in the code either, nothing is sent. */
function unnamed(displayUrl: string, reason: string | undefined): Finding {
  const state = reason === undefined ? "takes traces" : reason;
  return note(
    SUBJECT,
    `OTEL_EXPORTER_OTLP_ENDPOINT is not set, so only exporters configured in code send data. ${displayUrl}: ${state}`,
    reason === undefined
      ? `export OTEL_EXPORTER_OTLP_ENDPOINT=${DEFAULT}`
      : "npx @suite/viewer -- your command, sets it and shows the traces",
  );
}

function adviceFor(reason: string): string {
  if (reason.includes("nothing listens")) return "start a collector there, or npx @suite/viewer";
  if (reason.includes("headers")) return "set OTEL_EXPORTER_OTLP_HEADERS, as name=value";
  if (reason.includes("415"))
    return "npm install @opentelemetry/exporter-trace-otlp-proto, and set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf: it does not accept JSON";
  if (reason.includes("gRPC")) return "use the port of OTLP over HTTP: 4318";
  return "set OTEL_EXPORTER_OTLP_ENDPOINT to a receiver of OTLP over HTTP";
}

/** Returns the reason why a request without a span is rejected. Returns `undefined` if it is accepted. */
async function reasonOf(url: URL, env: Env): Promise<string | undefined> {
  try {
    const { status, body } = await send(url, env);
    if (status !== 200) return otlpFailure(status);
    return isOtlp(body) ? undefined : "it does not answer as an OTLP receiver: another server uses this address";
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ABORT_ERR") return `it does not answer within ${MOST_MS / 1000} s`;
    return otlpFailure(code) ?? "it cannot be reached";
  }
}

async function send(url: URL, env: Env): Promise<{ readonly status: number; readonly body: string }> {
  const headerList = variable(env, "OTEL_EXPORTER_OTLP_TRACES_HEADERS") ?? variable(env, "OTEL_EXPORTER_OTLP_HEADERS");
  const certificate = variable(env, "OTEL_EXPORTER_OTLP_CERTIFICATE");
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const post = async () => {
      const options = {
        method: "POST",
        headers: { ...otlpHeaders(headerList), "content-type": "application/json" },
        signal: AbortSignal.timeout(MOST_MS),
        ...(certificate !== undefined && { ca: await readFile(certificate) }),
      };
      const sent = url.protocol === "https:" ? httpsRequest(url, options, resolve) : httpRequest(url, options, resolve);
      sent.on("error", reject).end("{}");
    };
    post().catch(reject);
  });
  return { status: response.statusCode ?? 0, body: await bounded(response) };
}

/** Returns the text of a response. Returns `<`, which is not JSON, if it is too long or breaks off. */
async function bounded(response: IncomingMessage): Promise<string> {
  let length = 0;
  response.on("data", (piece: Buffer) => {
    length += piece.length;
    if (length > MOST_ANSWER) response.destroy();
  });
  return text(response).catch(() => "<");
}

/** Returns true if a response is OTLP as JSON: an object, or an empty body. */
function isOtlp(body: string): boolean {
  if (body.trim() === "") return true;
  try {
    const answer: unknown = JSON.parse(body);
    return isRecord(answer);
  } catch {
    return false;
  }
}
