/** What adapters of frameworks share beside the engine: which run a call belongs to. */
export { type AmbientStorage, ambientStorage } from "./framework/ambient.js";
export { FrameworkRuns, type InRun } from "./framework/runs.js";
