/** Name of the instrumentation scope of spans and metrics. */
export const SCOPE = "@suite/tracing";

/** The version of the package. A test compares it with package.json. */
export const VERSION = "0.1.0";
