/** Changes the answer of a layer, streamed or not. */
export { type Changes, transform } from "./engine/transform.js";
