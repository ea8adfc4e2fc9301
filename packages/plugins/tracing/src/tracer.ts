import { type Tracer, type TracerProvider, trace } from "@opentelemetry/api";
import { SCHEMA_URL } from "./attributes/semconv.js";
import { SCOPE, VERSION } from "./version.js";

/** The parts of the API's proxy that show whether a provider is registered. */
interface ProxyProvider extends TracerProvider {
  getDelegate(): TracerProvider;
  getDelegateTracer(name: string, version: string, options: { schemaUrl: string }): Tracer | undefined;
}

const isProxy = (provider: TracerProvider): provider is ProxyProvider =>
  "getDelegateTracer" in provider && "getDelegate" in provider;

/** Returns the registered provider, or the API's no-op provider if none is registered. */
export function registeredProvider(): TracerProvider {
  const registered = trace.getTracerProvider();
  return isProxy(registered) ? registered.getDelegate() : registered;
}

/**
 * Returns a function for the tracer of this scope. It returns `undefined` while no provider is registered. It is called
 * once per call, so that a provider registered later is found, and costs two comparisons if nothing changed.
 */
export function tracerSource(fixed?: TracerProvider): () => Tracer | undefined {
  if (fixed !== undefined) {
    const tracer = fixed.getTracer(SCOPE, VERSION, { schemaUrl: SCHEMA_URL });
    return () => tracer;
  }
  let seen: TracerProvider | undefined;
  let tracer: Tracer | undefined;
  return () => {
    const registered = trace.getTracerProvider();
    const provider = isProxy(registered) ? registered.getDelegate() : registered;
    if (provider === seen) return tracer;
    seen = provider;
    tracer = isProxy(registered)
      ? registered.getDelegateTracer(SCOPE, VERSION, { schemaUrl: SCHEMA_URL })
      : provider.getTracer(SCOPE, VERSION, { schemaUrl: SCHEMA_URL });
    return tracer;
  };
}
