/** Functions for values of unknown type and for bytes. The other entries of this package have one topic each. */
export { isObject } from "@suite/core/internal";
export { type CanonicalRules, canonicalWriter } from "./canonical.js";
export { fromBase64, toBase64, toHex } from "./encoding.js";
export { isRecord } from "./object.js";
