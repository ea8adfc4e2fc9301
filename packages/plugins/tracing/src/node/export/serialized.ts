/** The serializer of an OTLP exporter. */
interface Serializer {
  serializeRequest(batch: unknown): Uint8Array | undefined;
}

/**
 * Returns the body of the request that an OTLP exporter would send. There is no public API for the serializer. Returns
 * `undefined` if the exporter has none in the place that OpenTelemetry's exporters use.
 */
export function serializedBy(exporter: object, batch: unknown): Uint8Array | undefined {
  const delegate: unknown = Reflect.get(exporter, "_delegate");
  const serializer: unknown = Object(delegate)._serializer;
  return isSerializer(serializer) ? serializer.serializeRequest(batch) : undefined;
}

const isSerializer = (value: unknown): value is Serializer => typeof Object(value).serializeRequest === "function";
