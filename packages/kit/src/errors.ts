/** Error classes with codes, and what an error of any client reports. */
export { type CodedErrorClass, codedError } from "./errors/coded-error.js";
export { errorCodeOf, errorStatusOf, errorTypeOf } from "./errors/error-type.js";
export { isTimeoutError } from "./errors/timeout.js";
