/** Keeps the order of parts in a stage that holds text back. */
export { type HeldText, PartOrder, type PartSlot } from "./engine/part-order.js";
