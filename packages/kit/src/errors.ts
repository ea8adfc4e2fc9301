/** Error classes with codes, and the type, code and status of a client's error. */
export { type CodedErrorClass, codedError } from "./errors/coded-error.js";
export { errorCodeOf, errorStatusOf, errorTypeOf } from "./errors/error-type.js";
export { isTimeoutError } from "./errors/timeout.js";
