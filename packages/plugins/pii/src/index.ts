export { PiiError, type PiiErrorCode, type PiiPlace } from "./errors.js";
export type { AsyncOptions, AsyncRedactor } from "./later/later-redactor.js";
export type { AsyncStream } from "./later/later-stream.js";
export { type EngineName, engine } from "./patterns/engine.js";
export type { PiiOptions, Places, Restore } from "./plugin/options.js";
export { pii } from "./plugin/pii.js";
export type { PiiPlugin } from "./plugin/plugin.js";
export type { RecognizerCall, RecognizerFunction, RecognizerMatch } from "./recognisers/function.js";
export type { Match } from "./recognisers/recogniser.js";
export { type BuiltInType, defaultTypes, furtherTypes } from "./recognisers/registry.js";
export { detect } from "./redactor/detect.js";
export {
  createRedactor,
  type PiiRedactor,
  type RedactorOptions,
  type RedactorStream,
  type RestoringRedactor,
} from "./redactor/redactor.js";
export { inBase64 } from "./rules/in-base64.js";
export type {
  Finding,
  Rule,
  Rules,
  Strategy,
} from "./rules/rule.js";
export type { HashKey } from "./strategies/hash-key.js";
export { type MemoryVaultOptions, memoryVault } from "./vault/memory-vault.js";
export { randomTag } from "./vault/tag.js";
export type { LaterVault, TokenId, Vault } from "./vault/vault.js";
