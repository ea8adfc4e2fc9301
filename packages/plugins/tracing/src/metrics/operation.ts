import type { Attributes } from "@opentelemetry/api";
import type { Kind, Request } from "@suite/core";
import { attributesOf, type Measure, type Recording } from "./measured.js";

/**
 * Records the duration of one call of a kind without a specific metric: retrieval, memory, and embeddings before
 * v0.1.0. A call that a layer answered instead of the provider is not measured.
 */
export const operationRecording =
  <K extends Kind>(identity: (request: Request<K>) => Attributes) =>
  ({ invocation }: Measure<K>): Recording<K> => ({
    answered: () => invocation.reached !== undefined,
    record({ instruments, redactor }, { seconds, settlement, error }) {
      if (settlement.status === "suspended") return;
      const attributes = identity(invocation.reached ?? invocation.request);
      instruments.operationDuration.record(seconds, attributesOf(attributes, error, redactor));
    },
  });
