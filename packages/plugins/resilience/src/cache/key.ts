import { sha256 } from "@noble/hashes/sha2.js";
import type { Awaitable, ModelRequest, RuntimeContext } from "@suite/core";
import { isObject, toHex } from "@suite/kit";
import { canonical } from "./canonical.js";

/** Hashes a string. Must be as strong as SHA-256, and the same in every process that shares the store. */
export type Hash = (text: string) => Awaitable<string>;

/** The tenants among whom answers are shared: all, or whom a function names. */
export type CacheTenant = "everyone" | ((runtime: RuntimeContext) => string | undefined);

/**
 * The maximum length, in characters, of a string that is hashed synchronously. WebCrypto uses another thread, which
 * takes longer for short strings.
 */
const SHORT = 16_000;

/** Returns a function for SHA-256 in hex. Uses WebCrypto for long strings, if available. */
export function sha256Hash(): Hash {
  const subtle = globalThis.crypto?.subtle;
  const encoder = new TextEncoder();
  return (text) => {
    const bytes = encoder.encode(text);
    if (subtle === undefined || text.length <= SHORT) return toHex(sha256(bytes));
    return subtle.digest("SHA-256", bytes).then((digest) => toHex(new Uint8Array(digest)));
  };
}

/**
 * Returns the owner of the answers that a run may use, in a form in which a user never equals a session. Default: the
 * run's user, otherwise its conversation, within its `tenantId`. Returns `undefined` if the run has neither.
 */
export function tenantOf(runtime: RuntimeContext, tenant: CacheTenant | undefined): string | undefined {
  if (tenant === "everyone") return "everyone";
  if (tenant !== undefined) {
    const named = tenant(runtime);
    return typeof named === "string" && named !== "" ? `tenant ${named}` : undefined;
  }
  const user = ofRun(runtime, "userId");
  const session = user ?? ofRun(runtime, "sessionId");
  if (session === undefined) return undefined;
  const owner = `${user === undefined ? "session" : "user"} ${session}`;
  const organisation = ofRun(runtime, "tenantId");
  // The bracket keeps it apart from every owner without an organisation.
  return organisation === undefined ? owner : `${JSON.stringify([organisation])} ${owner}`;
}

/** Returns an id of the run, or of the nearest run around it that has one. */
function ofRun(runtime: RuntimeContext, field: "userId" | "sessionId" | "tenantId"): string | undefined {
  for (let at: RuntimeContext | undefined = runtime; at !== undefined; at = at.parent) {
    if (at[field] !== undefined) return at[field];
  }
  return undefined;
}

/**
 * Returns the string of a request for its hash. It contains everything that affects the answer, but not `stream`.
 * Returns `undefined` if a part cannot be represented, because requests could then be confused, or if the request
 * continues a history stored by the provider.
 */
export function requestText(tenant: string, request: ModelRequest): string | undefined {
  const client = request.client === undefined ? null : describe(request.client);
  if (client === undefined) return undefined;
  const { model, provider, server, messages, toolChoice, outputSchema, settings } = request;
  let beside: unknown;
  try {
    beside = request.beside?.() ?? null;
  } catch {
    return undefined; // a framework's model that does not expose its parameters
  }
  if (refersToStoredHistory(settings) || refersToStoredHistory(beside)) return undefined;
  const tools = request.tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return canonical(
    // In one list, in this order: a change of it is a change of all keys.
    [1, tenant, { model, provider, server, client, messages, tools, toolChoice, outputSchema, settings, beside }],
  );
}

/** The names under which a request points to a history that the provider keeps: an answer of ours would be missing in it. */
const storedHistory = /^(?:previous_?response_?id|conversation(?:_?id)?)$/i;

function refersToStoredHistory(value: unknown, depth = 0): boolean {
  if (!isObject(value) || depth > 3) return false;
  return Object.entries(value).some(
    ([key, value]) => value != null && (storedHistory.test(key) || refersToStoredHistory(value, depth + 1)),
  );
}

/** Returns the data that identifies a model client across processes. */
function describe(client: unknown): object | undefined {
  if (!isObject(client) || typeof client.name !== "string") return undefined;
  const { name, provider, server } = client;
  return { name, provider, server };
}
