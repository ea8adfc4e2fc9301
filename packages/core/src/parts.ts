/** The parts of a stage that holds text back and keeps the order of parts. */
export { type HeldText, PartOrder, type PartSlot } from "./engine/part-order.js";
