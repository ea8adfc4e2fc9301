import type { ContentCaptures } from "../content/capture.js";
import { type DetailsSource, detailsSource } from "./details.js";
import { type EventLoggerProvider, loggerSource } from "./logger.js";
import { EventRoute } from "./route.js";
import { type EventSignal, signalsOf } from "./signal.js";

/** The routes of all events. They are resolved once, when the plugin is created. */
export interface Events {
  readonly exceptions: EventRoute;
  /** The route of decisions (of guards, people, limits), suspensions and faults. */
  readonly notices: EventRoute;
  /** The source of details. `undefined` if the details of calls are not recorded. */
  readonly details: DetailsSource | undefined;
}

/** @throws TracingError `ERR_TRACING_INVALID_OPTION` */
export function eventsBy(
  option: EventSignal | undefined,
  provider: EventLoggerProvider | undefined,
  content: ContentCaptures,
  warn: (message: string) => void,
): Events {
  const signals = signalsOf(option, content.requestsEvents);
  if (option === "span" && content.requestsEvents) {
    warn(
      '@suite/tracing: OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT asks for content on events, and tracing({ events: "span" }) for no log records: there it is not recorded.',
    );
  }
  const logger = loggerSource(provider);
  let warned = false;
  const missing = (): void => {
    if (warned) return;
    warned = true;
    warn(
      "@suite/tracing: events are configured as log records, but no logger provider is registered: they are recorded on spans, and events that only go to logs are lost. Register one, for example with setupTracing({ logs: true }), or pass it: tracing({ loggerProvider }).",
    );
  };
  return {
    exceptions: new EventRoute(signals.exceptions, logger, missing),
    notices: new EventRoute(signals.notices, logger, missing),
    details: signals.details ? detailsSource(logger, content.onEvents, missing) : undefined,
  };
}
