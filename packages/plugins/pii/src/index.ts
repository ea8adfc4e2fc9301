export { PiiError, type PiiErrorCode, type PiiPlace } from "./errors.js";
export { type EngineName, engine } from "./patterns/engine.js";
export type { PiiOptions, Places, Restore } from "./plugin/options.js";
export { pii } from "./plugin/pii.js";
export type { PiiPlugin } from "./plugin/plugin.js";
export { type BuiltInType, defaultTypes, furtherTypes } from "./recognisers/registry.js";
export type { AsyncOptions, AsyncRedactor, AsyncStream } from "./redact/async/redactor.js";
export { detect } from "./redact/detect.js";
export { inBase64 } from "./redact/in-base64.js";
export {
  createRedactor,
  type PiiRedactor,
  type RedactorOptions,
  type RedactorStream,
  type RestoringRedactor,
} from "./redact/redactor.js";
export { redactTable, type TableOptions } from "./redact/table.js";
export type {
  Rule,
  Rules,
  Strategy,
} from "./rules/rule.js";
export type { HashKey } from "./rules/strategies/hash-key.js";
export type { Match } from "./scan/recogniser.js";
export type { RecognizerCall, RecognizerFunction, RecognizerMatch } from "./scan/recognizer-function.js";
export type { Finding } from "./scan/rule.js";
export { type MemoryVaultOptions, memoryVault } from "./tokens/memory-vault.js";
export { randomTag } from "./tokens/tag.js";
export type { AsyncUserVault, AsyncVault, TokenId, UserVault, Vault } from "./tokens/vault.js";
