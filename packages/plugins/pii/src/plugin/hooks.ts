import type { CallNext, Emit, Invocation, RuntimeContext } from "@suite/core";
import type { At, Guard } from "./guard.js";
import { inputTreatment, treatWith } from "./input.js";
import type { Places } from "./options.js";
import { OutputStage } from "./output.js";

type Layer<Context> = (context: Context, callNext: CallNext) => Promise<void>;

/** Model calls: their messages, and their answers. */
export function modelLayer(guard: Guard, places: Places): Layer<Invocation<"model">> {
  const { input = true, output = false, toolArguments = false } = places;
  const treatMessages = inputTreatment(guard.engine);
  return async (context, callNext) => {
    const { runtime, call, request } = context;
    if (input) {
      const treat = treatMessages.bind(undefined, request.messages);
      const messages = guard.treat({ place: "input", runtime, call }, request.messages, treat);
      if (messages !== request.messages) context.request = { ...request, messages };
    }
    await callNext();
    if (output || toolArguments) context.pipe(new OutputStage(guard, { runtime, call }, { output, toolArguments }));
  };
}

/** Tool calls: their input, and everything they answer. */
export function toolLayer(
  guard: Guard,
  { toolArguments = false, toolResults = false }: Places,
): Layer<Invocation<"tool">> {
  return async (context, callNext) => {
    const { runtime, call, request } = context;
    if (toolArguments) {
      const input = treatAt(guard, { place: "tool_arguments", runtime, call }, request.input);
      if (!Object.is(input, request.input)) context.request = { ...request, input };
    }
    await callNext();
    if (toolResults) context.pipe({ chunk: treatChunks(guard, { place: "tool_result", runtime, call }) });
  };
}

/** What a person answered. */
export function humanInputLayer(guard: Guard): Layer<Invocation<"humanInput">> {
  return async (context, callNext) => {
    await callNext();
    context.pipe({ chunk: treatChunks(guard, { place: "human_input", runtime: context.runtime, call: context.call }) });
  };
}

/** The system prompt, each time it is assembled. */
export function systemPromptHook(guard: Guard): (prompt: string, runtime: RuntimeContext) => string {
  return (prompt, runtime) =>
    guard.treat({ place: "system_prompt", runtime }, prompt, (tally) => treatWith(guard.engine, tally).text(prompt));
}

const treatAt = (guard: Guard, at: At, value: unknown): unknown =>
  guard.treat(at, value, (tally) => treatWith(guard.engine, tally).value(value));

const treatChunks =
  (guard: Guard, at: At) =>
  (chunk: unknown, emit: Emit<unknown>): void =>
    emit(treatAt(guard, at, chunk));
