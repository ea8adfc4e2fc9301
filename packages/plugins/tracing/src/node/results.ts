/** The part that exporters of all signals have in common. */
export interface Exporter<Batch> {
  export(batch: Batch, done: (result: { code: number; error?: Error }) => void): void;
}

/** The listener for how sending went. */
export interface Results {
  /** All of a batch was taken, or a part of it. */
  arrived(): void;
  /** So many items of a batch were not taken, though the rest was: OTLP's `partialSuccess`. */
  refused(items: number): void;
  /** Nothing of a batch was taken. */
  failed(error: unknown): void;
}

/**
 * Lets an exporter tell whether what it sends arrives: the SDK keeps that to itself unless a logger is set.
 * The program goes on either way.
 */
export function tellingResults<Batch, E extends Exporter<Batch>>(exporter: E, results: Results): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      if (result.code === 0) results.arrived();
      else results.failed(result.error);
      done(result);
    });
  tellRefused(exporter, results);
  return exporter;
}

/** The SDK's handler of responses, of one exporter: it logs those that took a part only. */
interface ResponseHandler {
  handleResponse(response: unknown): void;
}

/** OTLP's exporters have no public place where a response can be read. Where theirs is none we know, nothing is told. */
function tellRefused(exporter: object, { refused }: Results): void {
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

/** The number of spans, data points or log records that were refused, as a response tells it. 64 bits are text in JSON. */
function refusedIn(response: unknown): number {
  const { rejectedSpans, rejectedDataPoints, rejectedLogRecords } = Object(Object(response).partialSuccess);
  const items = Number(rejectedSpans ?? rejectedDataPoints ?? rejectedLogRecords ?? 0);
  return Number.isSafeInteger(items) ? items : 0;
}
