import type { Attributes, Tracer } from "@opentelemetry/api";
import type { RuntimeContext } from "@suite/core";
import type { Capture } from "../content/capture.js";
import type { Events } from "../logs/events.js";

/** The parts that all hooks share. */
export interface Tracing {
  readonly tracer: () => Tracer | undefined;
  readonly capture: Capture;
  /** Returns the attributes that every span of a run has from its start. */
  readonly ofRun: (runtime: RuntimeContext) => Attributes;
  readonly events: Events;
  /** True if events are also recorded under the names of open proposals. */
  readonly proposals: boolean;
}
