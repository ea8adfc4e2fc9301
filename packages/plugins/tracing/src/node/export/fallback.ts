import type { Exporter } from "./results.js";

/** The HTTP status by which a receiver refuses an encoding. */
const UNSUPPORTED = 415;

/**
 * Changes an exporter of JSON so that a receiver which answers 415 is sent protobuf, from the refused batch on: some
 * backends take nothing else.
 *
 * @param protobuf makes the other exporter. Returns `undefined` if it is not installed.
 * @returns a function that returns the exporter in use.
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
      // Batches overlap: another may have made it.
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
