import type { LogValue } from "../../logs/logger.js";
import type { ExitRedactor } from "./exit-redactor.js";
import type { ExportedLog } from "./exported-log.js";

/**
 * Returns a copy of a log record with every string redacted: body, attributes and their keys, names, resource, scope.
 */
export function redactLog(log: ExportedLog, exit: ExitRedactor): ExportedLog {
  const { spanContext, severityText, severityNumber, body, eventName } = log;
  return {
    hrTime: log.hrTime,
    hrTimeObserved: log.hrTimeObserved,
    ...(spanContext !== undefined && { spanContext }),
    ...(severityText !== undefined && { severityText: exit.text(severityText) }),
    ...(severityNumber !== undefined && { severityNumber }),
    ...(body !== undefined && { body: exit.value(body) as LogValue }),
    ...(eventName !== undefined && { eventName: exit.text(eventName) }),
    resource: exit.resource(log.resource),
    instrumentationScope: exit.scope(log.instrumentationScope),
    attributes: exit.recorded(log.attributes),
    droppedAttributesCount: log.droppedAttributesCount,
  };
}
