import type { FinishDelta, Part } from "@suite/core";
import type { AnswerView, Slot } from "./format.js";
import type { Ledger } from "./ledger.js";

/** Writes over an answer what was let through of it. Whether anything had to be changed. */
export function writeSlots(slots: readonly Slot[], part: (slot: Slot, index: number) => Part | undefined): boolean {
  let changed = false;
  for (const [index, slot] of slots.entries()) {
    const given = part(slot, index);
    if (given !== undefined && says(given, slot.part)) continue;
    slot.write(given?.type === slot.part.type ? given : undefined);
    changed = true;
  }
  return changed;
}

/**
 * Writes over a whole answer, whose parts came in order: with parts that a layer put behind them, and how it ended.
 * Whether anything had to be changed.
 */
export function writeAnswer(view: AnswerView, ledger: Ledger, finish: FinishDelta): boolean {
  const places = new Set(ledger.places());
  let changed = writeSlots(view.slots, (slot, index) => {
    const part = ledger.part(`${index}`);
    if (part?.type === slot.part.type) places.delete(`${index}`);
    return part;
  });
  for (const at of places) {
    const part = ledger.part(at);
    if (part === undefined) continue;
    view.append(part);
    changed = true;
  }
  const ended = ledger.finish;
  if (ended === undefined || (ended.finishReason === finish.finishReason && ended.usage === finish.usage))
    return changed;
  view.writeFinish(ended);
  return true;
}

/** Whether a part says what another one does: it is that, or was put together from the same pieces. */
function says(given: Part, before: Part): boolean {
  if (given === before) return true;
  if (given.type !== before.type) return false;
  if (given.type === "text" && before.type === "text") return given.content === before.content;
  return JSON.stringify(given) === JSON.stringify(before);
}
