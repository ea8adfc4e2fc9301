import type { TracerProvider } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import { registeredProvider } from "../tracer.js";

/** The part of a set-up that shows whether it is in effect. */
interface Setup {
  readonly provider: TracerProvider;
}

/** A set-up with its service. */
interface First<S> {
  readonly setup: S;
  readonly service: unknown;
}

/**
 * The key of the first set-up. It is stored on the global object, since a module that is reloaded or bundled twice is
 * another module.
 */
const FIRST = Symbol.for("@suite/tracing/setup");

const serviceOf = (resource: Resource): unknown => resource.attributes["service.name"];

const stored = <S>(): First<S> | undefined => Reflect.get(globalThis, FIRST);

/** Returns the set-up that is in effect for the service of a resource. Returns `undefined` if it is absent. */
export function firstSetup<S extends Setup>(resource: Resource): S | undefined {
  const first = stored<S>();
  const isInEffect = first?.setup.provider === registeredProvider() && first.service === serviceOf(resource);
  return isInEffect ? first.setup : undefined;
}

/** Keeps a set-up until it shuts down. */
export function keepFirst<S extends Setup>(setup: S, resource: Resource): void {
  Reflect.set(globalThis, FIRST, { setup, service: serviceOf(resource) } satisfies First<S>);
}

/** Forgets a set-up that shuts down. */
export function forgetFirst(setup: Setup): void {
  if (stored()?.setup === setup) Reflect.deleteProperty(globalThis, FIRST);
}
