/** Functions shared by adapters of frameworks: they find the run of a call and the end of an answer. */
export { type Admitted, rejection, ToolAdmission } from "./framework/admission.js";
export { type AmbientStorage, ambientStorage } from "./framework/ambient.js";
export { Attempts } from "./framework/attempts.js";
export { PieceBoundaries } from "./framework/boundaries.js";
export { signalOfAttempt } from "./framework/given-up.js";
export { isOriginalId, isSameProvider, Originals } from "./framework/originals.js";
export { type OutcomeStep, readerOf, wholeOf } from "./framework/reader.js";
export { FrameworkRuns, type InRun } from "./framework/runs.js";
export { abortable, judged, patiently, reasonOf, settleAfter, settlementOf } from "./framework/settlement.js";
export { countUsage, sumUsage, tellUsage } from "./framework/usage.js";
