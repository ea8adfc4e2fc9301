import type { Context, TimeInput } from "@opentelemetry/api";
import { SCHEMA_URL } from "../attributes/semconv.js";
import { SCOPE, VERSION } from "../version.js";

// The types of @opentelemetry/api-logs that are used here. It is an optional peer, and compiling with this package must
// not need its types. A test compares them with the real ones.

/** A value of a log record's attribute. Unlike on spans, values can be nested. */
export type LogValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Uint8Array
  | LogValue[]
  | { [key: string]: LogValue };

/** The attributes of a log record. */
export type LogAttributes = Record<string, LogValue>;

/** The values of `SeverityNumber` that are used. */
export const SEVERITY = { debug: 5, info: 9, warn: 13 } as const;
/** A severity that is used. */
export type Severity = (typeof SEVERITY)[keyof typeof SEVERITY];

/** A log record that is an event. */
export interface EventRecord {
  readonly eventName?: string;
  readonly severityNumber?: Severity;
  readonly timestamp?: TimeInput;
  readonly attributes?: LogAttributes;
  /** The context with the span that the event belongs to. */
  readonly context?: Context;
}

/** A logger of `@opentelemetry/api-logs`. */
export interface EventLogger {
  emit(record: EventRecord): void;
  enabled?(event: Pick<EventRecord, "context" | "severityNumber" | "eventName">): boolean;
}

/** A logger provider of `@opentelemetry/api-logs`. */
export interface EventLoggerProvider {
  getLogger(name: string, version?: string, options?: { schemaUrl?: string }): EventLogger;
}

/**
 * The key under which `@opentelemetry/api-logs` keeps the registered provider for all its copies: a function of the API
 * version. It is read directly, so that this package needs no copy.
 */
const REGISTERED = Symbol.for("io.opentelemetry.js.api.logs");
const API_VERSION = 1;

/** Returns the logger provider that is registered globally, if there is one. */
export function registeredLoggerProvider(): EventLoggerProvider | undefined {
  const registered = (globalThis as Record<symbol, unknown>)[REGISTERED];
  if (typeof registered !== "function") return undefined;
  const provider: unknown = registered(API_VERSION);
  return isProvider(provider) ? provider : undefined;
}

const isProvider = (value: unknown): value is EventLoggerProvider =>
  typeof value === "object" && value !== null && "getLogger" in value && typeof value.getLogger === "function";

/**
 * Returns a function for the logger of this scope. It returns `undefined` while no logger provider is registered. It is
 * called once per event, so that a provider registered later is found, and costs one comparison if nothing changed.
 */
export function loggerSource(fixed?: EventLoggerProvider): () => EventLogger | undefined {
  let seen: EventLoggerProvider | undefined;
  let logger: EventLogger | undefined;
  return () => {
    const provider = fixed ?? registeredLoggerProvider();
    if (provider === seen) return logger;
    seen = provider;
    logger = provider?.getLogger(SCOPE, VERSION, { schemaUrl: SCHEMA_URL });
    return logger;
  };
}
