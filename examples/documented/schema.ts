/** An answer that fits a schema, and its parsed value beside it, as the schema validator of Ravi. */
import { createAgent } from "@suite/agent";
import { parsedOutput, schema } from "@suite/guardrails";
import { scriptedModel } from "@suite/testkit";
import { z } from "zod";

// What does not fit is never seen: the model is asked again, and told what is wrong.
const plugins = [schema({ schema: z.object({ city: z.string(), degrees: z.number() }) })];

const model = scriptedModel('{"city": "Oslo", "degrees": "eight"}', '{"city": "Oslo", "degrees": 8}');
const result = await createAgent({ name: "weather", model, plugins }).run("How warm is it in Oslo?");
console.log(result.values.get(parsedOutput), `${model.requests.length} requests`);
