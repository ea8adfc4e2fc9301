import type { Attributes } from "@opentelemetry/api";
import type { Redactor } from "@suite/core";
import { type ExitOptions, ExitRedactor } from "./exit-redactor.js";
import type { ExportedResource, LogScope } from "./exported-span.js";

/** Cache limits. Metrics have few attributes, which repeat with every measurement. */
const MOST_REMEMBERED = 1000;
const LONGEST_REMEMBERED = 256;

/** The redaction of metrics. */
export interface MetricsExit {
  /**
   * Redacts the attributes of every instrument before values are added up. HTTP instrumentations record error messages
   * there, database instrumentations the first word of a statement. Attributes that are equal after redaction form one
   * series.
   */
  readonly view: {
    readonly instrumentName: string;
    readonly attributesProcessors: { process(attributes: Attributes): Attributes }[];
  };
  /** Redacts the batch of an exporter: resource, scopes, and names of instruments. */
  batch<Batch extends ExportedMetrics>(batch: Batch): Batch;
}

/** The parts of `ResourceMetrics` that contain strings of programs. The SDK is an optional peer. */
interface ExportedMetrics {
  readonly resource: ExportedResource;
  readonly scopeMetrics: readonly {
    readonly scope: LogScope;
    readonly metrics: readonly {
      readonly descriptor: { readonly name: string; readonly description: string; readonly unit: string };
    }[];
  }[];
}

export function metricsExit(redactor: Redactor, options: ExitOptions): MetricsExit {
  const exit = new ExitRedactor(remembering(redactor), options);
  const process = (attributes: Attributes): Attributes => {
    try {
      return exit.attributes(attributes);
    } catch {
      // An error would be thrown in the code that measures.
      return {};
    }
  };
  return {
    view: { instrumentName: "*", attributesProcessors: [{ process }] },
    batch: (batch) => ({
      ...batch,
      resource: exit.resource(batch.resource),
      scopeMetrics: batch.scopeMetrics.map(({ scope, metrics }) => ({
        scope: exit.scope(scope),
        metrics: metrics.map(({ descriptor, ...data }) => {
          const { name, description, unit } = descriptor;
          return {
            ...data,
            descriptor: {
              ...descriptor,
              name: exit.text(name),
              description: exit.text(description),
              unit: exit.text(unit),
            },
          };
        }),
      })),
    }),
  };
}

function remembering(redactor: Redactor): Redactor {
  const known = new Map<string, string>();
  return {
    value: (value) => redactor.value(value),
    redact(text) {
      const remembered = known.get(text);
      if (remembered !== undefined) return remembered;
      const redacted = redactor.redact(text);
      if (known.size < MOST_REMEMBERED && text.length <= LONGEST_REMEMBERED) known.set(text, redacted);
      return redacted;
    },
  };
}
