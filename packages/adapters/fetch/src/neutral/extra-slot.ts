import { beside, type Known } from "../json.js";
import type { Draft, Slot } from "./format.js";

/** The slot of what an object says beside its known fields, on its own: text may come through in other pieces, and this not. */
export function extraSlot(at: string, object: Draft, known: Known): readonly Slot[] {
  const extra = beside(object, known);
  if (extra === undefined) return none;
  return [
    {
      at,
      part: { type: "native", value: extra },
      write(part) {
        for (const key of Object.keys(extra)) delete object[key];
        if (part?.type === "native") Object.assign(object, part.value);
      },
    },
  ];
}

const none: readonly Slot[] = [];
