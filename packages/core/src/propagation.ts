/** The trace context of calls: headers for requests to other processes, and the span of a call. */
export type { SpanIds } from "./contract/kinds.js";
export {
  type Carrier,
  type Incoming,
  incomingKey,
  type PropagationTarget,
  type Propagator,
  propagate,
  propagatorsKey,
} from "./contract/propagation.js";
export { setSpanOf, spanOf } from "./contract/span.js";
