import type { Delta, ToolCallPart } from "@suite/core";
import { beside, isJson, type Json, jsonOf, numberOf, objectsOf, stringOf, textOfValue } from "../../json.js";
import { ofCall } from "./messages.js";

interface Call {
  readonly at: string;
  readonly index: number;
  readonly custom: boolean;
  readonly id: string;
  name: string;
  /** A layer made it, and has told no arguments yet. */
  bare: boolean;
}

/** Tells the pieces of parallel tool calls apart: by index, and by id where a server gives all calls the same index. */
export class CallPieces {
  readonly #open = new Map<string, Call>();
  readonly #byAt = new Map<string, Call>();

  read(choice: number, delta: Json, deltas: Delta[]): void {
    for (const [position, piece] of objectsOf(delta.tool_calls).entries()) {
      this.#read(`${choice}/c`, piece.index === undefined ? position : numberOf(piece.index), piece, deltas);
    }
    if (isJson(delta.function_call)) this.#read(`${choice}/f`, -1, { function: delta.function_call }, deltas);
  }

  write(at: string, { id, name, arguments: args }: ToolCallPart): Json {
    const json = isEmpty(args) ? "" : textOfValue(args);
    const index = this.#byAt.size;
    const call = this.#byAt.get(at) ?? this.#begin({ at, index, id, name, custom: false, bare: json === "" });
    if (call.index < 0) return { function_call: { name, arguments: json } };
    const said = call.custom ? { custom: { name, input: json } } : { function: { name, arguments: json } };
    return { tool_calls: [{ index: call.index, id, type: call.custom ? "custom" : "function", ...said }] };
  }

  writeJson(at: string, json: string): Json {
    const call = this.#byAt.get(at);
    if (call === undefined) return {};
    call.bare = false;
    if (call.index < 0) return { function_call: { arguments: json } };
    return {
      tool_calls: [
        { index: call.index, ...(call.custom ? { custom: { input: json } } : { function: { arguments: json } }) },
      ],
    };
  }

  /** A call that a layer made, without arguments: these are none, but JSON all the same. */
  *withoutArguments(): Generator<Json> {
    for (const [at, { bare }] of this.#byAt) if (bare) yield this.writeJson(at, "{}");
  }

  #read(prefix: string, index: number, piece: Json, deltas: Delta[]): void {
    const own = jsonOf(piece.function ?? piece.custom);
    const id = stringOf(piece.id);
    const name = stringOf(own.name);
    const key = `${prefix}${index}`;
    let call = this.#open.get(key);
    if (call === undefined || (id !== "" && name !== "" && id !== call.id)) {
      const at = `${prefix}${this.#open.size}${call ? `-${id}` : ""}`;
      call = this.#begin({ at, index, id, name, custom: piece.custom !== undefined, bare: false });
      this.#open.set(key, call);
      deltas.push(beginning(call, beside(piece, ofCall) && piece));
    } else if (name !== "" && name !== call.name) {
      call.name = name;
      deltas.push(beginning(call, beside(piece, ofCall) && piece));
    } else {
      const value = beside(piece, ofCall);
      const name = `chat.completion.chunk/${Number.parseInt(prefix, 10)}`;
      if (value !== undefined) deltas.push({ type: "event", name, value: { tool_calls: [{ index, ...value }] } });
    }
    const args = own.arguments ?? own.input ?? "";
    const json = typeof args === "string" ? args : JSON.stringify(args);
    if (json !== "") deltas.push({ type: "arguments", at: call.at, json });
  }

  #begin(call: Call): Call {
    this.#byAt.set(call.at, call);
    return call;
  }
}

const beginning = ({ at, id, name }: Call, native: Json | undefined): Delta => ({
  type: "part",
  at,
  part: { type: "tool_call", id, name, arguments: {}, ...(native && { native }) },
});

const isEmpty = (args: unknown): boolean => args === undefined || (isJson(args) && Object.keys(args).length === 0);
