import { type Schema as JsonSchema, Validator } from "@cfworker/json-schema";
import {
  type Delta,
  definePlugin,
  type Emit,
  type Invocation,
  type ModelRequest,
  message,
  type Plugin,
  resultKey,
  type StateKey,
  textOf,
} from "@suite/core";
import { isObject } from "@suite/kit";
import { type Check, common, count, flag, oneOf } from "@suite/kit/options";
import { explainIssues, isStandardSchema, schemaChecker, withoutPatterns } from "@suite/kit/schema";
import { GuardrailsError } from "./errors.js";
import { checkOptions, type GuardOptions, invalid } from "./options.js";
import { repair } from "./repair.js";
import { jsonsIn } from "./schema/json-text.js";
import { HeldAnswer } from "./stream/held-answer.js";

/** The options of `schema`. */
export interface SchemaOptions extends GuardOptions {
  /** JSON Schema (2020-12), or a schema of any Standard Schema library (Zod, Valibot, ArkType). */
  readonly schema: object;
  /** The maximum number of repairs: the model is asked again with the problem. Default: 2. */
  readonly repairs?: number;
  /**
   * Behavior if no answer matches. `error` (default): the model call fails with `ERR_GUARDRAILS_SCHEMA`. `pass`:
   * the first answer passes unchanged, and a `decision` is reported.
   */
  readonly onFailure?: "error" | "pass";
  /**
   * Instructs the model to answer with JSON that matches the schema, if the request has no schema itself. Default:
   * true.
   */
  readonly instruct?: boolean;
  /** The JSON Schema shown to the model, for Standard Schemas that cannot produce one. */
  readonly jsonSchema?: object;
  /**
   * Runs the expressions (`pattern`) of a JSON Schema. They may take exponential time on crafted input. Default: false.
   */
  readonly patterns?: boolean;
  /** The key of the parsed value. Default: `parsedOutput`. */
  readonly key?: StateKey<unknown>;
}

/**
 * The last answer that matched its schema, parsed.
 *
 * @example
 * ```ts
 * const result = await agent.run("…");
 * result.values.get(parsedOutput);
 * ```
 */
export const parsedOutput: StateKey<unknown> = resultKey<unknown>("guardrails.parsedOutput", {
  save: (value) => value,
  load: (value) => value,
});

/** The maximum number of characters of an answer that are held back. */
const longest = 4_000_000;
/** The maximum number of characters of an answer that are sent back to the model. */
const maxQuoted = 16_000;

const aSchema: Check = (value) =>
  isObject(value) || (typeof value === "function" && isStandardSchema(value)) ? undefined : "a schema: an object";
const times: Check = (value) => (value === 0 ? undefined : count(value) && "an integer of at least 0");

/**
 * Validates the model's final answer against a schema. If the answer is empty or does not match, the model is asked
 * again, and no answer that does not match is emitted. Of JSON in a code fence or in prose, only the JSON is emitted.
 * Answers with tool calls pass.
 *
 * @throws {GuardrailsError} `ERR_GUARDRAILS_OPTION`
 * @example
 * ```ts
 * schema({ schema: z.object({ city: z.string(), degrees: z.number() }) });
 * ```
 */
export function schema(options: SchemaOptions): Plugin {
  options = checkOptions(
    "schema",
    options,
    {
      ...common,
      schema: aSchema,
      repairs: times,
      onFailure: oneOf("error", "pass"),
      instruct: flag,
      jsonSchema: aSchema,
      patterns: flag,
      key: isKey,
    },
    ["schema"],
  );
  const { name = "schema", mode = "enforce", repairs = 2, onFailure = "error", key = parsedOutput } = options;
  const enforced = mode === "enforce";
  const standard = isStandardSchema(options.schema);
  if (!standard && options.patterns !== true && withoutPatterns(options.schema) !== options.schema) {
    throw invalid(
      "The JSON Schema of schema() contains patterns. Set patterns: true if they are safe to run, or remove them.",
    );
  }
  const check = schemaChecker((json) => new Validator(json as JsonSchema, "2020-12", false));
  const jsonSchema = options.jsonSchema ?? writtenBy(options.schema);
  const instruction = options.instruct === false ? undefined : instructionFor(jsonSchema);

  /** Returns the first value in an answer that matches the schema, with its JSON, or the problem of the first value. */
  const read = async (text: string): Promise<{ value: unknown; json: string } | { problem: string }> => {
    let problem: string | undefined;
    for (const found of jsonsIn(text)) {
      const checked = await check(options.schema, found.value);
      if ("value" in checked) return { value: checked.value, json: found.json };
      problem ??= explainIssues(checked.issues);
    }
    return { problem: problem ?? (text.trim() === "" ? "it is empty" : "it is not JSON") };
  };

  /** Asks the model again until an answer matches. */
  async function repaired({ request, runtime, call }: Invocation<"model">, text: string, first: string) {
    let [current, problem] = [text, first];
    for (let attempt = 1; attempt <= repairs; attempt++) {
      const why = `Your answer does not match the requested JSON Schema: ${problem}. Answer again, with JSON only.`;
      // Providers reject an empty assistant message.
      const before = current.trim() === "" ? [] : [message("assistant", current.slice(0, maxQuoted))];
      const messages = [...request.messages, ...before, message("user", why)];
      const { outputSchema, settings } = request;
      const repairRequest = {
        messages,
        ...(outputSchema !== undefined && { outputSchema }),
        ...(settings && { settings }),
      };
      const reply = await runtime.ask?.(repairRequest, { parent: call, purpose: repair });
      if (reply === undefined) return undefined;
      current = textOf(reply.message);
      const answer = await read(current);
      if ("json" in answer) return { ...answer, attempt };
      problem = answer.problem;
    }
    return undefined;
  }

  /** Emits the allowed part of a complete answer. */
  async function settle(held: HeldAnswer, invocation: Invocation<"model">, emit: Emit<Delta>): Promise<void> {
    const { runtime, call } = invocation;
    const notify = (decision: string, attempts: number): void =>
      runtime.notify({
        type: "decision",
        plugin: name,
        decision,
        enforced,
        call,
        place: "output",
        details: { attempts },
      });
    const answer = held.overflown ? { problem: "it is too long" } : await read(held.text);
    if ("json" in answer) {
      runtime.set(key, answer.value);
      if (answer.json === held.text || !enforced) return held.release(emit);
      return held.replace(answer.json, emit);
    }
    if (!enforced) {
      notify("does_not_fit", 0);
      return held.release(emit);
    }
    const again = held.overflown ? undefined : await repaired(invocation, held.text, answer.problem);
    if (again !== undefined) {
      notify("repaired", again.attempt);
      runtime.set(key, again.value);
      return held.replace(again.json, emit);
    }
    notify(onFailure === "pass" ? "fail_open" : "fail_closed", repairs);
    if (onFailure === "pass") return held.release(emit);
    throw new GuardrailsError(
      "ERR_GUARDRAILS_SCHEMA",
      `The model's answer does not match its schema. ${answer.problem}`,
    );
  }

  return definePlugin({
    name,
    settings: { mode, repairs, onFailure },
    async model(invocation, callNext) {
      const { request } = invocation;
      if (request.purpose !== undefined) return callNext();
      if (enforced && instruction !== undefined && request.outputSchema === undefined) {
        invocation.request = instructed(request, instruction);
      }
      await callNext();
      const held = new HeldAnswer(longest);
      invocation.pipe({
        chunk: (delta, emit) => held.add(delta, emit),
        flush: (emit, suspended) =>
          suspended || held.callsTools ? held.release(emit) : settle(held, invocation, emit),
      });
    },
  });
}

const isKey: Check = (value) =>
  isObject(value) && typeof value.id === "symbol" ? undefined : "a key, such as resultKey() returns";

/** Returns the JSON Schema, if the schema is one or its library can produce one. */
function writtenBy(schema: object): object | undefined {
  if (!isStandardSchema(schema)) return schema;
  const { jsonSchema } = (schema as { "~standard": { jsonSchema?: { input(options: { target: string }): object } } })[
    "~standard"
  ];
  return jsonSchema?.input({ target: "draft-2020-12" });
}

const instructionFor = (json: object | undefined): string =>
  json === undefined
    ? "When you give your final answer, answer with JSON alone: no other text, no code fence."
    : `When you give your final answer, answer with JSON alone, no other text and no code fence, that fits this JSON Schema: ${JSON.stringify(json)}`;

/** Returns the request with an instruction at the end of the system prompt. */
function instructed(request: ModelRequest, instruction: string): ModelRequest {
  const at = request.messages.findLastIndex(({ role }) => role === "system");
  const system = request.messages[at];
  const added = { type: "text", content: system === undefined ? instruction : `\n\n${instruction}` } as const;
  if (system === undefined) return { ...request, messages: [message("system", [added]), ...request.messages] };
  const { native: _, ...rest } = system;
  return { ...request, messages: request.messages.with(at, { ...rest, parts: [...system.parts, added] }) };
}
