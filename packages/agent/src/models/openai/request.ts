import type { Message, ModelRequest, ModelSettings } from "@suite/core";
import { chatSettings, toChatToolChoice } from "@suite/wire";
import type OpenAI from "openai";
import type { JsonSchema } from "../../tools/schema.js";
import { outputSchemaOf, parametersOf } from "../schema.js";
import { fitsStrict } from "./strict.js";

type Params = Omit<OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming, "stream">;

/** The dialect in which a server is asked. */
export interface Dialect {
  readonly messages: (messages: readonly Message[]) => Params["messages"];
  /** The name of the limit: OpenAI's newer models refuse the old one, other servers may not know the new one. */
  readonly maxTokens: "max_completion_tokens" | "max_tokens";
}

/** The body of a request. What the request has goes before what its settings pass on under the API's own names. */
export function paramsOf(request: ModelRequest, dialect: Dialect): Params {
  const { tools, toolChoice, outputSchema, settings = {} } = request;
  return {
    ...settingsOf(settings, dialect),
    model: request.model,
    messages: dialect.messages(request.messages),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({
        type: "function",
        function: {
          name: tool.name,
          ...(tool.description !== undefined && { description: tool.description }),
          parameters: parametersOf(tool),
        },
      })),
    }),
    ...(toolChoice !== undefined && { tool_choice: toChatToolChoice(toolChoice) }),
    ...(outputSchema !== undefined && { response_format: formatOf(outputSchemaOf(outputSchema)) }),
  };
}

const formatOf = (schema: JsonSchema): NonNullable<Params["response_format"]> => ({
  type: "json_schema",
  json_schema: { name: "output", schema, strict: fitsStrict(schema) },
});

function settingsOf(settings: ModelSettings, { maxTokens }: Dialect): Record<string, unknown> {
  const names: Readonly<Record<string, string>> = { ...chatSettings, maxTokens };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [names[name] ?? name, value]));
}
