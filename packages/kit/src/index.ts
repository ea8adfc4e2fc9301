/** Functions for values of unknown type. The other entries of this package have one topic each. */
export { isObject } from "@suite/core/internal";
