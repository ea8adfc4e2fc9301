/** The serializer of an OTLP exporter. */
interface Serializer {
  serializeRequest(batch: unknown): Uint8Array | undefined;
}

/**
 * Returns the body of the request that an OTLP exporter would send. Returns `undefined` if the exporter has no serializer
 * where those of OpenTelemetry have it: there is no public place.
 */
export function serializedBy(exporter: object, batch: unknown): Uint8Array | undefined {
  const delegate: unknown = Reflect.get(exporter, "_delegate");
  const serializer: unknown = Object(delegate)._serializer;
  return isSerializer(serializer) ? serializer.serializeRequest(batch) : undefined;
}

const isSerializer = (value: unknown): value is Serializer => typeof Object(value).serializeRequest === "function";
