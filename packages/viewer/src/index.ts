export { ViewerError, type ViewerErrorCode } from "./errors.js";
export { startViewer, type Viewer, type ViewerOptions } from "./viewer.js";
