import { type AnyInvocation, type Kind, MiddlewareTermination } from "@suite/core";
import type { Chunk } from "@suite/core/contract";
import { values } from "./random-calls.js";
import type { Layer, Step } from "./random-plan.js";

/** The run as a layer sees it: it is told what happens, and can hang. */
export interface Meddled {
  /** Is told each time that something has happened. */
  happens(): void;
  hang(): Promise<void>;
}

/** Meddles with a call as its plan says. */
export async function meddle(
  how: Layer | undefined,
  call: AnyInvocation,
  next: () => Promise<void>,
  { happens, hang }: Meddled,
): Promise<void> {
  happens();
  if (how === "throws before") throw new RangeError("before");
  if (how === "terminates") throw new MiddlewareTermination("enough", { scope: "run" });
  if (how === "answers in place") return call.respond({ value: values[call.kind as Step["kind"]] as never });
  if (how === "is slow") await new Promise((resolve) => setImmediate(resolve));
  if (how === "hangs" && call.kind !== "agent") await hang();
  if (how === "rewrites") call.request = { ...call.request } as never;
  const entered = next();
  if (how === "tries again what failed") {
    return entered.then(() => call.result?.ready()).catch(() => next());
  }
  await entered;
  happens();
  if (how === "throws after") throw new RangeError("after");
  if (how === "tries again") await next();
  if (how === "answers after all") call.respond({ value: values[call.kind as Step["kind"]] as never });
  if (how === "reads it first") await call.result?.final().catch(() => {});
  if (how === "holds chunks") {
    call.pipe({ chunk: async (chunk: Chunk<Kind>, emit: (chunk: never) => void) => emit(chunk as never) } as never);
  }
}

/** A plugin's hooks with one layer for every kind of call. */
export const every = (layer: (call: AnyInvocation, next: () => Promise<void>) => Promise<void>) => ({
  agent: layer,
  model: layer,
  tool: layer,
  humanInput: layer,
  compressContext: layer,
});
