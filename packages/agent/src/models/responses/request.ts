import type { ModelRequest } from "@suite/core";
import { responsesSettings, toResponsesToolChoice } from "@suite/wire";
import type OpenAI from "openai";
import { fitsStrict } from "../openai/strict.js";
import { outputSchemaOf, parametersOf } from "../schema.js";
import { itemsOf } from "./items.js";

type Params = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "stream">;

const names: Readonly<Record<string, string>> = responsesSettings;

/** The body of a request. What the request has goes before what its settings pass on under the API's own names. */
export function paramsOf(request: ModelRequest): Params {
  const { tools, toolChoice, outputSchema } = request;
  const settings: Partial<Params> = Object.fromEntries(
    Object.entries(request.settings ?? {}).map(([name, value]) => [names[name] ?? name, value]),
  );
  return {
    store: false,
    ...settings,
    model: request.model,
    input: itemsOf(request.messages),
    ...(tools.length > 0 && {
      tools: [
        ...tools.map((tool) => ({
          type: "function" as const,
          name: tool.name,
          ...(tool.description !== undefined && { description: tool.description }),
          parameters: parametersOf(tool),
          strict: false,
        })),
        ...(settings.tools ?? []),
      ],
    }),
    ...(toolChoice !== undefined && { tool_choice: toResponsesToolChoice(toolChoice) }),
    ...(outputSchema !== undefined && { text: { ...settings.text, format: formatOf(outputSchema) } }),
  };
}

function formatOf(outputSchema: unknown): OpenAI.Responses.ResponseFormatTextJSONSchemaConfig {
  const schema = outputSchemaOf(outputSchema);
  return { type: "json_schema", name: "output", schema, strict: fitsStrict(schema) };
}
