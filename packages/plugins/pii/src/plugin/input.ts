import type { Message, ModelRequest, Tool } from "@suite/core";
import type { Tally } from "../redact/tally.js";
import type { Guard } from "./guard.js";
import { Lookup, Memory } from "./memory.js";
import { treatMessage } from "./parts.js";
import type { RunTokens } from "./run-tokens.js";
import { treatSchema } from "./schema.js";
import { type Treat, treatWith } from "./treat.js";

/** Treats what a model is given: the same request where nothing changed. */
export type TreatRequest = (request: ModelRequest, guard: Guard, tally: Tally, own?: RunTokens) => ModelRequest;

/** The treatment of requests, which remembers what became of messages and tools. */
export function inputTreatment(): TreatRequest {
  const memory = new Memory();
  return (request, guard, tally, own) => {
    const tokens = own?.tokens;
    const look = new Lookup(tally, own, guard.engine.trial);
    const inside = (found: Tally): Treat => treatWith(guard, found, tokens?.inside);
    const messages = each(request.messages, (message: Message) =>
      memory.recall(message, message, look, (found) =>
        treatMessage(message, treatWith(guard, found, tokens?.inside, own?.viewOf(message.role))),
      ),
    );
    const tools = each(request.tools, (tool: Tool) => {
      const { description, parameters } = tool;
      return memory.recall(tool, [description, parameters], look, (found) => definition(tool, inside(found)));
    });
    const schema = request.outputSchema;
    const outputSchema = isObject(schema)
      ? memory.recall(schema, schema, look, (found) => treatSchema(schema, inside(found)))
      : schema;
    const same = messages === request.messages && tools === request.tools && outputSchema === schema;
    return same ? request : { ...request, messages, tools, ...(outputSchema !== undefined && { outputSchema }) };
  };
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A tool as the model is offered it. Its name stays: it is called by it. */
function definition(tool: Tool, treat: Treat): Tool {
  const description = tool.description === undefined ? undefined : treat.text(tool.description);
  const parameters = tool.parameters && treatSchema(tool.parameters, treat);
  if (description === tool.description && parameters === tool.parameters) return tool;
  const copy = Object.assign(Object.create(Object.getPrototypeOf(tool) as object), tool) as Tool;
  return Object.assign(copy, { ...(description !== undefined && { description }), ...(parameters && { parameters }) });
}

function each<T>(list: readonly T[], treat: (one: T) => T): readonly T[] {
  const treated = list.map(treat);
  return treated.every((one, index) => one === list[index]) ? list : treated;
}
