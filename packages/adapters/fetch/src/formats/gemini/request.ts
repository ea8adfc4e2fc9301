import type { ToolChoice } from "@suite/core/contract";
import { isJson, type Json, jsonOf, objectsOf, stringOf } from "../../json.js";
import { settingsIn, toolsIn } from "../../neutral/fields.js";
import type { RequestFormat } from "../../neutral/format.js";
import { roleOfUser } from "../../neutral/request.js";
import { partShapes } from "./parts.js";

const generation: ReadonlySet<string> = new Set(["temperature", "topP", "topK", "maxOutputTokens", "stopSequences"]);
const modes: Readonly<Record<string, ToolChoice>> = {
  __proto__: null as never,
  AUTO: "auto",
  NONE: "none",
  ANY: "required",
};

const settings = settingsIn({ maxTokens: "maxOutputTokens" }, [
  ...["contents", "systemInstruction", "system_instruction", "tools", "toolConfig"],
]);

/**
 * The body of a request of `POST …/models/{model}:generateContent`. `generationConfig` contains settings and schema.
 */
export const request: RequestFormat = {
  turns: "contents",
  system: {
    fields: ["systemInstruction", "system_instruction"],
    read: (value) => (typeof value === "string" ? { parts: [{ text: value }] } : jsonOf(value)),
    write: (turns) => ({ parts: turns.flatMap(({ parts }) => objectsOf(parts)) }),
  },
  message({ role, parts: wire }, remember) {
    const parts = partShapes.readContent(wire, remember);
    return { role: role === "model" ? "assistant" : roleOfUser(parts), parts };
  },
  // Keeps the other fields of a turn.
  write: ({ message: { role, parts }, before, origin }) => [
    {
      role: role === "assistant" ? "model" : "user",
      ...before,
      parts: partShapes.writeContent(parts, origin, before?.parts),
    },
  ],
  tools: toolsIn(
    { parameters: "parametersJsonSchema", older: "parameters" },
    {
      read: (tools) =>
        objectsOf(tools).flatMap((tool) =>
          Array.isArray(tool.functionDeclarations) ? objectsOf(tool.functionDeclarations) : [tool],
        ),
      write(tools) {
        const functions = tools.filter(({ name }) => typeof name === "string");
        const others = tools.filter(({ name }) => typeof name !== "string");
        return [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...others];
      },
    },
  ),
  toolChoice: {
    read({ toolConfig }) {
      const { mode, allowedFunctionNames } = jsonOf(jsonOf(toolConfig).functionCallingConfig);
      const names = Array.isArray(allowedFunctionNames) ? allowedFunctionNames : [];
      if (mode === "ANY" && names.length === 1) return { name: stringOf(names[0]) };
      return modes[stringOf(mode)];
    },
    write(choice, { toolConfig }) {
      const { functionCallingConfig: _, ...rest } = jsonOf(toolConfig);
      if (choice === undefined) return { toolConfig: rest };
      const config =
        typeof choice === "object"
          ? { mode: "ANY", allowedFunctionNames: [choice.name] }
          : { mode: choice === "required" ? "ANY" : choice.toUpperCase() };
      return { toolConfig: { ...rest, functionCallingConfig: config } };
    },
  },
  settings: {
    read: ({ generationConfig, ...body }) => settings.read({ ...body, ...withoutSchema(generationConfig) }),
    write(changed, { generationConfig }, before) {
      const config = jsonOf(generationConfig);
      const changes = Object.entries(settings.write(changed, {}, before));
      const isInside = ([key]: readonly [string, unknown]): boolean => key in config || generation.has(key);
      const inside = changes.filter(isInside);
      return {
        ...Object.fromEntries(changes.filter((change) => !isInside(change))),
        ...(inside.length > 0 && { generationConfig: { ...config, ...Object.fromEntries(inside) } }),
      };
    },
  },
  outputSchema: {
    read({ generationConfig }) {
      const { responseJsonSchema, responseSchema } = jsonOf(generationConfig);
      return [responseJsonSchema, responseSchema].find(isJson);
    },
    write(schema, { generationConfig }) {
      const { responseMimeType = "application/json", ...rest } = withoutSchema(generationConfig);
      return { generationConfig: isJson(schema) ? { ...rest, responseMimeType, responseJsonSchema: schema } : rest };
    },
  },
};

function withoutSchema(generationConfig: unknown): Json {
  const { responseSchema: _, responseJsonSchema: __, ...config } = jsonOf(generationConfig);
  return config;
}
