/** The common part of exporters of spans, metrics and log records. `code` 0: the batch was accepted. */
export interface Exporter<Batch> {
  export(batch: Batch, done: (result: { code: number; error?: Error }) => void): void;
  forceFlush?(): Promise<void>;
  shutdown?(): Promise<void>;
}

/** A listener for the results of exports. */
export interface Results {
  /** A batch was accepted: all of it, or all but the items that `refused` has reported just before. */
  arrived(): void;
  /** The collector's response reports that some items were not accepted: OTLP's `partialSuccess`. */
  refused(items: number): void;
  /** A batch was not accepted. @param error of the exporter, if it has one */
  failed(error: unknown): void;
}

/**
 * Changes an exporter so that it reports to the listener whether its batches are accepted, and returns it.
 * OpenTelemetry's SDK reports that only to its diagnostic logger, if the program has set one. The SDK receives the same
 * results as before.
 */
export function reportResults<Batch, E extends Exporter<Batch>>(exporter: E, results: Results): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      if (result.code === 0) results.arrived();
      else results.failed(result.error);
      done(result);
    });
  reportRefused(exporter, results);
  return exporter;
}

/** The SDK's handler of responses of one exporter. It logs responses that accepted only a part. */
interface ResponseHandler {
  handleResponse(response: unknown): void;
}

/** Reports refused items. OTLP's exporters have no public API for responses. An unknown exporter reports nothing. */
export function reportRefused(exporter: object, { refused }: Pick<Results, "refused">): void {
  const delegate: unknown = Reflect.get(exporter, "_delegate");
  const handler: unknown = Object(delegate)._responseHandler;
  if (!isResponseHandler(handler)) return;
  const handle = handler.handleResponse.bind(handler);
  handler.handleResponse = (response) => {
    const items = refusedIn(response);
    if (items > 0) refused(items);
    handle(response);
  };
}

const isResponseHandler = (value: unknown): value is ResponseHandler =>
  typeof Object(value).handleResponse === "function";

/**
 * Returns the number of refused spans, data points or log records in a response. JSON contains 64-bit numbers as
 * strings.
 */
function refusedIn(response: unknown): number {
  const { rejectedSpans, rejectedDataPoints, rejectedLogRecords } = Object(Object(response).partialSuccess);
  const items = Number(rejectedSpans ?? rejectedDataPoints ?? rejectedLogRecords ?? 0);
  return Number.isSafeInteger(items) ? items : 0;
}
