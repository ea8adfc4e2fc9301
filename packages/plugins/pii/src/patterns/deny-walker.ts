import type { Walker } from "../scan/recogniser.js";
import { type DenyList, open } from "./deny-list.js";

/** Walks a list of values along a stream. Holds back a value that has only begun. */
export function denyWalker(list: DenyList): Walker {
  let next = 0;
  return {
    context: 1,
    advance(text, base, ended, report) {
      let at = next - base;
      for (; at < text.length; at++) {
        if (!list.mayBegin(text, at)) continue;
        const end = list.endOf(text, at, ended);
        if (end === open) break;
        // A value that begins inside this one may end after it.
        if (end > at) report(base + at, base + end, 1);
      }
      next = base + at;
      return next;
    },
  };
}
