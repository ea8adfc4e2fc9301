export type { Approvals } from "./approvals/desk.js";
export { ViewerError, type ViewerErrorCode } from "./errors.js";
export { startViewer, type Viewer, type ViewerOptions } from "./viewer.js";
