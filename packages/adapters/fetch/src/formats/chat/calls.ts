import type { Part } from "@suite/core";
import type { Draft, Edit } from "@suite/core/editor";
import type { ToolCallPart } from "@suite/core/messages";
import { isJson, type Json, jsonOf, numberOf, objectsOf, stringOf } from "../../json.js";
import { readArguments } from "../../neutral/edits.js";

/** The fields of a call that are read. */
const ofCall: ReadonlySet<string> = new Set(["id", "type", "index", "function", "custom"]);

interface Call {
  readonly at: string;
  readonly index: number;
  /** The field that holds the name and the input: `function`, `custom`, or the older `function_call`. */
  readonly field: string;
  readonly id: string;
  name: string;
  /** True if a layer removed the call: its pieces are removed, too. */
  removed: boolean;
}

/** The tool calls of an answer. It distinguishes them by index, and by id if a server sends one index for all. */
export class Calls {
  readonly #open = new Map<string, Call>();
  readonly #byAt = new Map<string, Call>();

  get count(): number {
    return this.#byAt.size;
  }

  /** Registers the calls of a message, or of a piece of one. */
  read(edit: Edit, message: Draft, choice: string): void {
    for (const [position, piece] of objectsOf(message.tool_calls).entries()) {
      const index = piece.index === undefined || piece.index === null ? position : numberOf(piece.index);
      this.#read(edit, message, piece as Draft, choice, index);
    }
    if (isJson(message.function_call)) this.#readOld(edit, message, message.function_call as Draft, choice);
  }

  /** The delta with a piece of the arguments of a call. */
  piece(at: string, text: string): Json {
    const call = this.#byAt.get(at);
    if (call === undefined || call.removed) return {};
    if (call.field === "function_call") return { function_call: { arguments: text } };
    return { tool_calls: [{ index: call.index, [call.field]: { [inputOf(call.field)]: text } }] };
  }

  #read(edit: Edit, message: Draft, piece: Draft, choice: string, index: number): void {
    const field = piece.custom === undefined ? "function" : "custom";
    const definition = jsonOf(piece[field]) as Draft;
    const id = stringOf(piece.id);
    const call = this.#begin(edit, `${choice}/c`, index, { id, name: stringOf(definition.name), field }, (part) => {
      if (part === undefined) return;
      piece.id = part.id;
      piece[field] = { ...definition, name: part.name };
    });
    edit.rest(`chat.completion.chunk/${choice}/call/${index}`, piece, ofCall);
    readArguments(edit, call.at, definition, inputOf(field), false);
    edit.whenSent(() => {
      if (!call.removed) return false;
      message.tool_calls = objectsOf(message.tool_calls).filter((each) => each !== piece);
      if (objectsOf(message.tool_calls).length === 0) delete message.tool_calls;
      return true;
    });
  }

  #readOld(edit: Edit, message: Draft, definition: Draft, choice: string): void {
    const name = stringOf(definition.name);
    const call = this.#begin(edit, `${choice}/f`, 0, { id: name, name, field: "function_call" }, (part) => {
      if (part !== undefined) definition.name = part.name;
    });
    readArguments(edit, call.at, definition, "arguments", false);
    edit.whenSent(() => {
      if (call.removed) delete message.function_call;
      return call.removed;
    });
  }

  /** The call that a piece belongs to. The first piece of a call has its name, and mostly its id. */
  #begin(
    edit: Edit,
    prefix: string,
    index: number,
    { id, name, field }: Pick<Call, "id" | "name" | "field">,
    write: (part: ToolCallPart | undefined) => void,
  ): Call {
    const key = `${prefix}${index}`;
    const known = this.#open.get(key);
    const isNew = known === undefined || (id !== "" && name !== "" && id !== known.id);
    if (!isNew && (name === "" || name === known.name)) return known;
    const call: Call = isNew
      ? { at: `${prefix}${index}${known ? `-${id}` : ""}`, index, field, id, name, removed: false }
      : known;
    call.name = name;
    this.#open.set(key, call);
    this.#byAt.set(call.at, call);
    edit.part(call.at, { type: "tool_call", id: call.id, name, arguments: {} }, (part: Part | undefined) => {
      const other = part?.type === "tool_call" ? part : undefined;
      call.removed = other === undefined;
      write(other);
    });
    return call;
  }
}

const inputOf = (field: string): string => (field === "custom" ? "input" : "arguments");
