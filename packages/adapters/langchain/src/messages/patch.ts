import { type BaseMessage, isAIMessage, isToolMessage, type MessageContent } from "@langchain/core/messages";
import { type Message, type Part, type Redactor, textOf } from "@suite/core";
import { sourcesOf } from "@suite/core/adapter";
import type { ToolCallPart } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import { blockOf } from "./blocks.js";
import { callFieldsOf, contentOf, isMetadata, metadataIn, toolMessageContent } from "./content.js";
import { copyOf } from "./copy.js";
import { mapFields, recordOf, type Treatment, treatedExtras } from "./extras.js";
import { isCallCopy, toMessage } from "./to-neutral.js";
import { signedIn, withhold, withSigned } from "./withheld.js";

/** The options for writing a changed message. */
export interface PatchOptions {
  readonly redactor?: Redactor | undefined;
  /** True if the message is sent to the provider that wrote it. */
  readonly toProvider?: boolean;
}

type Fields = Record<string, unknown>;

/**
 * Writes the changes of layers into a copy of the original message. Lists remain lists; ids, annotations and metadata
 * are kept; only the changed strings differ.
 *
 * @returns the message itself if nothing changed.
 */
export function patched<M extends BaseMessage>(from: M, after: Message, options: PatchOptions = {}): M {
  const before = toMessage(from);
  if (after === before) return from;
  const patch = new Patch(from, before, after, options);
  const body = isToolMessage(from) ? patch.answer() : { content: patch.content(), ...patch.calls() };
  const fields: Fields = { ...body, ...patch.metadata(), ...(after.name !== undefined && { name: after.name }) };
  const current = from as unknown as Fields;
  return Object.entries(fields).every(([name, value]) => Object.is(value, current[name])) ? from : copyOf(from, fields);
}

class Patch {
  readonly #from: BaseMessage;
  readonly #before: Message;
  readonly #after: Message;
  readonly #treatment: Treatment;
  /** The original part of each part. */
  readonly #sources: ReadonlyMap<Part, Part | undefined>;
  /** The calls of the original. */
  readonly #calls: readonly ToolCallPart[];

  constructor(from: BaseMessage, before: Message, after: Message, { redactor, toProvider = false }: PatchOptions) {
    this.#from = from;
    this.#before = before;
    this.#after = after;
    const textChanged = textOf(before) !== textOf(after);
    this.#treatment = { redactor, toProvider, textChanged };
    this.#calls = before.parts.filter(isCall);
    const sources = sourcesOf(after.parts, before.parts);
    this.#sources = new Map(after.parts.map((part, index) => [part, sources[index]]));
  }

  content(): MessageContent {
    const { content } = this.#from;
    const parts = this.#after.parts.filter(isContent);
    if (typeof content === "string") return contentOf(parts);
    const blocks = this.#blocks(content);
    const out: unknown[] = [];
    let next = 0;
    for (const part of parts) {
      const source = this.#sources.get(part);
      const at = source === undefined ? undefined : blocks.get(source);
      if (at !== undefined) for (; next < at; next++) out.push(...this.#blockWithoutPart(content[next]));
      out.push(at === undefined ? blockOf(part) : this.#block(content[at], part, source));
      if (at !== undefined && next === at) next++;
    }
    for (; next < content.length; next++) out.push(...this.#blockWithoutPart(content[next]));
    const same = out.length === content.length && out.every((block, index) => block === content[index]);
    return same ? content : (out.filter((block) => block !== undefined) as MessageContent);
  }

  /** Returns the index of the original block of each part. */
  #blocks(content: readonly unknown[]): ReadonlyMap<Part, number> {
    const at = content.flatMap((block, index) => (isCallCopy(block, this.#from) ? [] : [index]));
    const parts = this.#before.parts.filter(isContent);
    return new Map(parts.map((part, index) => [part, at[index] as number]));
  }

  /** Returns a block with the text of its changed part. */
  #block(block: unknown, part: Part, source: Part | undefined): unknown {
    if (part === source || blockOf(part) === block) return block;
    if (!isRecord(block) || (part.type !== "text" && part.type !== "reasoning")) return blockOf(part);
    const slot = ["text", "reasoning", "thinking"].find((name) => typeof block[name] === "string");
    if (slot === undefined) return blockOf(part);
    const signed = part.type !== "reasoning" || part.signature !== undefined;
    const withheld = signed ? undefined : this.#withheld(block);
    if (withheld !== undefined) return withSigned(block, { content: part.content, signature: withheld });
    return mapFields(block, (value, name) => {
      if (name === slot) return part.content;
      return name === "signature" && !signed ? undefined : treatedExtras({ [name]: value }, this.#treatment)[name];
    });
  }

  /** Returns the rest of a block that no part represents. */
  #blockWithoutPart(block: unknown): readonly unknown[] {
    const signature = this.#withheld(block);
    if (signature === undefined || !isRecord(block)) return this.#callBlock(block);
    return [withSigned(block, { content: "", signature })];
  }

  /** Returns the signature that replaces the one of a block, if the redactor found a value in the signed content. */
  #withheld(block: unknown): string | undefined {
    const signed = this.#treatment.toProvider === true ? undefined : signedIn(block);
    return signed && withhold(signed, this.#treatment.redactor);
  }

  /**
   * Returns the block that repeats a call, with the changes of the call. Returns none if the call was removed, or if
   * the block does not repeat a call.
   */
  #callBlock(block: unknown): readonly unknown[] {
    if (!isRecord(block) || !isCallCopy(block, this.#from)) return [];
    const call = this.#callOf(block.id);
    if (call === undefined) return [];
    if (call === this.#sources.get(call)) return [block];
    const input = typeof block.input === "string" ? jsonOf(call.arguments) : call.arguments;
    return [
      mapFields(block, (value, name) => {
        if (name === "name") return call.name;
        if (name === "input" || name === "args") return input;
        return name === "arguments" ? jsonOf(call.arguments) : value;
      }),
    ];
  }

  #callOf(id: unknown): ToolCallPart | undefined {
    return this.#after.parts.find((part): part is ToolCallPart => part.type === "tool_call" && part.id === id);
  }

  /** Returns the two lists of calls. Unchanged calls are the same objects. */
  calls(): Fields {
    if (!isAIMessage(this.#from)) return {};
    const { tool_calls: valid = [], invalid_tool_calls: invalid = [] } = this.#from;
    const callByPart = new Map(this.#calls.map((part, index) => [part, [...valid, ...invalid][index]]));
    const same = (parts: readonly Part[], calls: readonly object[]): readonly object[] =>
      calls.map((call, index) => {
        const part = parts[index] as ToolCallPart;
        const source = this.#sources.get(part);
        const known = source === undefined ? undefined : callByPart.get(source as ToolCallPart);
        return part === source && known !== undefined ? known : { ...known, ...call };
      });
    const parts = this.#after.parts.filter(isCall);
    const written = callFieldsOf(parts);
    const isValid = ({ arguments: args }: ToolCallPart): boolean => isRecord(args);
    return {
      tool_calls: unlessSame(same(parts.filter(isValid), written.tool_calls), valid),
      invalid_tool_calls: unlessSame(
        same(
          parts.filter((part) => !isValid(part)),
          written.invalid_tool_calls,
        ),
        invalid,
      ),
    };
  }

  /** Returns the metadata after the layers. If they removed it together with a change, the metadata is redacted. */
  metadata(): Fields {
    const { response_metadata: response } = this.#from;
    const kwargs = this.#callsIn(this.#from.additional_kwargs);
    const before = metadataIn(this.#before.parts);
    const after = metadataIn(this.#after.parts);
    if (after === before && (after === undefined || !this.#treatment.textChanged)) return { additional_kwargs: kwargs };
    const treatment = after === undefined ? this.#treatment : { ...this.#treatment, redactor: passing };
    const treat = (originalFields: Readonly<Record<string, unknown>>, changedFields: object | undefined): Fields =>
      mapFields(
        after === before || changedFields === undefined ? originalFields : { ...originalFields, ...changedFields },
        (value, name) =>
          callFields.has(name) && this.#calls.length > 0 ? value : treatedExtras({ [name]: value }, treatment)[name],
      );
    return {
      additional_kwargs: this.#parsedIn(treat(kwargs, after?.additional_kwargs)),
      response_metadata: treat(response, after?.response_metadata),
    };
  }

  /** Updates the text parsed as JSON, which LangChain stores next to the text of a structured answer. */
  #parsedIn(kwargs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    if (!this.#treatment.textChanged || kwargs.parsed == null) return kwargs;
    const text = textOf(this.#after);
    return mapFields(kwargs, (value, name) => (name === "parsed" ? parsedOf(text) : value));
  }

  /** Updates the provider's form of the calls, which LangChain stores next to the parsed ones. */
  #callsIn(kwargs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    if (this.#calls.length === 0) return kwargs;
    return mapFields(kwargs, (value, name) => {
      if (name === "tool_calls" && Array.isArray(value)) {
        const changed = value.flatMap((call: unknown) => this.#rawCall(call));
        return unlessSame(changed, value);
      }
      if (name !== "function_call") return value;
      const [call] = this.#after.parts.filter(isCall);
      if (call === undefined) return undefined;
      return call === this.#sources.get(call)
        ? value
        : { ...recordOf(value), name: call.name, arguments: jsonOf(call.arguments) };
    });
  }

  #rawCall(raw: unknown): readonly unknown[] {
    const { id, function: described } = recordOf(raw);
    if (!this.#calls.some((call) => call.id === id)) return [raw];
    const call = this.#callOf(id);
    if (call === undefined) return [];
    if (call === this.#sources.get(call)) return [raw];
    const changed = { ...recordOf(described), name: call.name, arguments: jsonOf(call.arguments) };
    return [{ ...recordOf(raw), function: changed }];
  }

  /** Returns the fields of a tool's message. */
  answer(): Fields {
    const part = this.#after.parts.find((each) => each.type === "tool_call_response");
    if (part === undefined) return {};
    const { content } = this.#from;
    const { id, response, isError = false } = part;
    const { status } = this.#from as { readonly status?: string };
    return {
      tool_call_id: id,
      content: response === content ? content : toolMessageContent(response),
      ...((status === "error") !== isError && { status: isError ? "error" : "success" }),
    };
  }
}

/** The fields that repeat calls in the provider's form. */
const callFields: ReadonlySet<string> = new Set(["tool_calls", "function_call"]);

/** A redactor that finds nothing. */
const passing: Redactor = { redact: (text) => text, value: (value) => value };

const isCall = (part: Part): part is ToolCallPart => part.type === "tool_call";

/** True for a part that belongs to the content of a message. */
const isContent = (part: Part): boolean =>
  part.type !== "tool_call" && part.type !== "tool_call_response" && !isMetadata(part);

const unlessSame = <T>(changed: readonly T[], original: readonly T[]): readonly T[] =>
  changed.length === original.length && changed.every((each, index) => each === original[index]) ? original : changed;

const jsonOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "{}"));

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
