import { type Awaitable, type Delta, type Emit, type Reply, type Stage, toolCall } from "@suite/core";
import type { ToolCallPart } from "@suite/core/messages";

/** The maximum length of arguments that are checked, in characters. Longer ones pass unchanged. */
const longest = 256 * 1024;

/** A tool call of an answer, as it comes. */
interface Coming {
  part: ToolCallPart;
  /** The JSON of its arguments, if they are streamed. */
  json: string | undefined;
  ended: boolean;
}

/** Returns the repaired arguments of a complete call, or `undefined` to leave them unchanged. */
export type Mend = (call: ToolCallPart) => Awaitable<{ readonly arguments: unknown } | undefined>;

/**
 * Creates a stage that emits each tool call when it is complete and checked. Content before the first call is emitted
 * at once. Content after it waits, so that the parts stay in order.
 */
export function mending(mend: Mend): Stage<Delta, Reply> {
  const calls = new Map<string, Coming>();
  /** The calls with repaired arguments. Their original deltas are dropped. */
  const mended = new Set<string>();
  const held: Delta[] = [];

  const add = (delta: Delta): void => {
    if (delta.type === "part" && delta.part.type === "tool_call") {
      const known = calls.get(delta.at);
      if (known === undefined) calls.set(delta.at, { part: delta.part, json: undefined, ended: false });
      else known.part = delta.part;
    } else if (delta.type === "arguments") {
      const call = calls.get(delta.at);
      if (call !== undefined) call.json = (call.json ?? "") + delta.json;
    } else if (delta.type === "part_end") {
      const call = calls.get(delta.at);
      if (call !== undefined) call.ended = true;
    }
  };

  /** Emits complete parts, in order. */
  const release = async (emit: Emit<Delta>, all: boolean): Promise<void> => {
    for (let delta = held[0]; delta !== undefined; delta = held[0]) {
      const call = "at" in delta ? calls.get(delta.at) : undefined;
      if (call !== undefined && !call.ended && !all) return;
      held.shift();
      if (call === undefined || delta.type === "part_end") emit(delta);
      else if ("at" in delta && !mended.has(delta.at)) {
        const { at } = delta;
        const repaired = (call.json?.length ?? 0) > longest ? undefined : await mend(complete(call));
        if (repaired === undefined) {
          emit(delta);
          calls.delete(at); // its other deltas pass
        } else {
          mended.add(at);
          emit({ type: "part", at, part: toolCall(call.part.id, call.part.name, repaired.arguments) });
        }
      }
    }
  };

  return {
    chunk(delta, emit) {
      add(delta);
      if (held.length === 0 && !("at" in delta && calls.has(delta.at))) return emit(delta);
      held.push(delta);
      return delta.type === "part_end" ? release(emit, false) : undefined;
    },
    async flush(emit) {
      await release(emit, true);
    },
  };
}

function complete({ part, json }: Coming): ToolCallPart {
  if (json === undefined) return part;
  if (json.trim() === "") return { ...part, arguments: {} };
  try {
    return { ...part, arguments: JSON.parse(json) };
  } catch {
    return { ...part, arguments: json };
  }
}
