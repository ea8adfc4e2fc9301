/** Name of the instrumentation scope of spans and metrics. */
export const SCOPE = "@suite/tracing";

/** The version of the package: the same as in package.json, which a test holds it to. */
export const VERSION = "0.1.0";
