/** An answer as an object, which grows while it streams, as the structured output of LangChain and AgentScope Java. */
import { createAgent } from "@suite/agent";
import { scriptedModel } from "@suite/testkit";
import { z } from "zod";

// The answer is asked for by the schema, checked by it, and of its type.
const outputSchema = z.object({ city: z.string(), degrees: z.number() });
const model = scriptedModel({ chunks: ['{"city": "Os', 'lo", "degrees": ', "8}"] });
const agent = createAgent({ name: "weather", model, outputSchema });

const stream = agent.stream("How warm is it in Oslo?");
for await (const partial of stream.partialOutput()) console.log("so far:", partial);
const result = await stream.result;
if (result.status === "completed") console.log(result.output?.city, result.output?.degrees);
