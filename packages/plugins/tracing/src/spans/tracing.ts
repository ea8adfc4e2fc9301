import type { Attributes, Tracer } from "@opentelemetry/api";
import type { RuntimeContext } from "@suite/core";
import type { Capture } from "../content/capture.js";
import type { Events } from "../logs/events.js";

/** The parts that every hook shares. */
export interface Tracing {
  readonly tracer: () => Tracer | undefined;
  readonly capture: Capture;
  /** Gives the attributes that every span of a run has from its start. */
  readonly ofRun: (runtime: RuntimeContext) => Attributes;
  readonly events: Events;
  /** Whether events are also told by the names of open proposals. */
  readonly proposals: boolean;
}
