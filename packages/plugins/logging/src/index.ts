export type { Content } from "./content.js";
export { consoleLogger, type Fields, type Level, type Logger } from "./logger.js";
export { type LoggingOptions, logging } from "./logging.js";
export { LoggingError, type LoggingErrorCode } from "./options.js";
export { type Timing, type TimingOptions, timing, timings } from "./timing.js";
