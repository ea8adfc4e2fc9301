export * from "./contract/index.js";
export { TestkitError, type TestkitErrorCode } from "./errors.js";
export type { ModelAnswer, ScriptedReasoning, ScriptedToolCall } from "./server/answer.js";
export type { Cutting } from "./server/cutting.js";
export type { Fault, Place } from "./server/fault.js";
export type { RecordedRequest } from "./server/request.js";
export type { Responder } from "./server/script.js";
export { type ModelServer, type ModelServerOptions, startModelServer } from "./server/server.js";
export type { TransferEnd } from "./server/transport.js";
