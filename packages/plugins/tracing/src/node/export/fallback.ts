import type { Exporter } from "./results.js";

/** The HTTP status of a receiver that refuses an encoding. */
const UNSUPPORTED = 415;

/**
 * Changes a JSON exporter so that it switches to protobuf when a receiver answers 415, starting with the refused batch:
 * some backends accept only protobuf.
 *
 * @param protobuf creates the other exporter. Returns `undefined` if it is not installed.
 * @returns a function that returns the exporter in use
 */
export function fallBackToProtobuf<Batch, E extends Exporter<Batch>>(json: E, protobuf: () => E | undefined): () => E {
  const { export: send, forceFlush, shutdown } = json;
  let inUse = json;
  json.export = (batch, done) => {
    if (inUse !== json) {
      inUse.export(batch, done);
      return;
    }
    send.call(json, batch, (result) => {
      if (Object(result.error).code !== UNSUPPORTED) {
        done(result);
        return;
      }
      // Batches overlap: another one may have created it already.
      const other = inUse === json ? protobuf() : inUse;
      if (other === undefined) {
        done(result);
        return;
      }
      inUse = other;
      other.export(batch, done);
    });
  };
  if (forceFlush !== undefined) {
    json.forceFlush = async () => {
      await forceFlush.call(json);
      if (inUse !== json) await inUse.forceFlush?.();
    };
  }
  if (shutdown !== undefined) {
    json.shutdown = async () => {
      await shutdown.call(json);
      if (inUse !== json) await inUse.shutdown?.();
    };
  }
  return () => inUse;
}
