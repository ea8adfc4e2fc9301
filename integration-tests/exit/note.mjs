// Spans of a program's own, with planted data wherever a span has room.
import { createTraceState, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { cardNumber, everything, planted } from "../planted.mjs";

/** @param {string} value */
const remote = (value) => ({
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  traceFlags: 1,
  isRemote: true,
  traceState: createTraceState(`vendor=${value}`),
});

export function note() {
  for (const value of Object.values(planted)) {
    const tracer = trace.getTracer(`notes of ${value}`, value);
    const parent = trace.setSpanContext(ROOT_CONTEXT, remote(value));
    const links = [{ context: remote(value), attributes: { who: value, [value]: 1 } }];
    const span = tracer.startSpan(`note of ${value}`, { links }, parent);
    span.setAttributes({ value, list: [value, `about ${value}`], [value]: true, [`of ${value}`]: value });
    span.setAttribute("json", JSON.stringify({ [value]: [{ value }], text: JSON.stringify({ value }) }));
    span.setAttribute("half json", `{"value": "${value}"`);
    span.addEvent(`noted ${value}`, { value, [value]: [value] });
    span.recordException(new Error(`not ${value}`, { cause: new Error(value) }));
    span.setStatus({ code: 2, message: `cannot ${value}` });
    span.end();
  }
  const span = trace.getTracer("notes").startSpan("numbers");
  span.setAttributes({ card: cardNumber, cards: [cardNumber, cardNumber] });
  span.setAttribute("everything", everything);
  span.end();
}
