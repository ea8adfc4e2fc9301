import type { ToolChoice } from "@suite/core";
import { isJson, jsonOf, objectsOf, stringOf } from "../../json.js";
import type { RequestFormat } from "../../neutral/format.js";
import { roleOfUser } from "../../neutral/request.js";
import { partShapes } from "./parts.js";

const generation: ReadonlySet<string> = new Set(["temperature", "topP", "topK", "maxOutputTokens", "stopSequences"]);
const schemas: ReadonlySet<string> = new Set(["responseSchema", "responseJsonSchema"]);
const modes: Readonly<Record<string, ToolChoice>> = { AUTO: "auto", NONE: "none", ANY: "required" };

/** The body of a request of `POST …/models/{model}:generateContent`. Settings and schema stand in `generationConfig`. */
export const request: RequestFormat = {
  settings: { maxTokens: "maxOutputTokens" },
  fields: new Set(["contents", "systemInstruction", "system_instruction", "tools", "toolConfig", "generationConfig"]),
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
  // The fields of a turn next to its parts stay.
  write: ({ message: { role, parts }, before, origin }) => [
    {
      role: role === "assistant" ? "model" : "user",
      ...before,
      parts: partShapes.writeContent(parts, origin, before?.parts),
    },
  ],
  tool: { parameters: "parametersJsonSchema", older: "parameters" },
  toolsIn: (body) =>
    objectsOf(body.tools).flatMap((tool) =>
      isJson(tool) && Array.isArray(tool.functionDeclarations) ? objectsOf(tool.functionDeclarations) : [tool],
    ),
  writeTools(tools) {
    const functions = tools.filter((tool) => typeof jsonOf(tool).name === "string");
    const others = tools.filter((tool) => typeof jsonOf(tool).name !== "string");
    return [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...others];
  },
  choiceIn({ toolConfig }) {
    const { mode, allowedFunctionNames } = jsonOf(jsonOf(toolConfig).functionCallingConfig);
    const names = Array.isArray(allowedFunctionNames) ? allowedFunctionNames : [];
    if (mode === "ANY" && names.length === 1) return { name: stringOf(names[0]) };
    return modes[stringOf(mode)];
  },
  writeChoice(choice, { toolConfig }) {
    const { functionCallingConfig: _, ...rest } = jsonOf(toolConfig);
    if (choice === undefined) return { toolConfig: rest };
    const config =
      typeof choice === "object"
        ? { mode: "ANY", allowedFunctionNames: [choice.name] }
        : { mode: choice === "required" ? "ANY" : choice.toUpperCase() };
    return { toolConfig: { ...rest, functionCallingConfig: config } };
  },
  settingsIn: (body) => Object.entries(jsonOf(body.generationConfig)).filter(([key]) => !schemas.has(key)),
  writeSettings(changes, { generationConfig }) {
    const config = jsonOf(generationConfig);
    const inside = Object.entries(changes).filter(([key]) => key in config || generation.has(key));
    const outside = Object.entries(changes).filter(([key]) => !(key in config) && !generation.has(key));
    return {
      ...Object.fromEntries(outside),
      ...(inside.length > 0 && { generationConfig: { ...config, ...Object.fromEntries(inside) } }),
    };
  },
  outputSchema({ generationConfig }) {
    const { responseJsonSchema, responseSchema } = jsonOf(generationConfig);
    return [responseJsonSchema, responseSchema].find(isJson);
  },
  writeOutputSchema(schema, { generationConfig }) {
    const { responseJsonSchema: _, responseSchema: __, responseMimeType, ...rest } = jsonOf(generationConfig);
    if (!isJson(schema)) return { generationConfig: rest };
    return {
      generationConfig: {
        ...rest,
        responseMimeType: responseMimeType ?? "application/json",
        responseJsonSchema: schema,
      },
    };
  },
};
