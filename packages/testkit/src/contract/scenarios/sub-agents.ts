import { expectEqual, expectThat } from "../expect.js";
import { inBothModes, type Scenario } from "../scenario.js";
import type { ContractTool } from "../subject.js";
import { recordingTool, strings } from "./texts.js";

/** An agent as a tool of another: the plugins reach it too. */
export const subAgents: readonly Scenario[] = inBothModes("a sub-agent", ["tools", "sub-agents"], async (tryIt) => {
  const { tool, inputs } = recordingTool("weather", "city", () => "clear");
  const research: ContractTool = {
    name: "research",
    description: "Finds things out.",
    parameters: strings("prompt"),
    agent: { name: "researcher", tools: [tool] },
  };
  const answers = [
    { toolCalls: [{ id: "call_a", name: "research", arguments: { prompt: "How is it in Köln?" } }] },
    { toolCalls: [{ id: "call_b", name: "weather", arguments: { city: "Köln" } }] },
    { text: "result-of-research" },
    { text: "It is clear." },
  ];
  const trial = await tryIt({ tools: [research], answers });
  expectEqual(inputs, [{ city: "Köln" }], "what the sub-agent's tool was called with");
  expectEqual(trial.observed.text, "It is clear.", "the text");
  expectThat(
    trial.observed.prompts[3]?.includes("result-of-research"),
    "the model was not sent the sub-agent's answer",
  );
  trial.expectCalls(
    ...(["agent", "reasoning", "model", "tool"] as const),
    ...(["agent", "reasoning", "model", "tool", "reasoning", "model"] as const),
    ...(["reasoning", "model"] as const),
  );
  const [outerAgent, innerAgent] = trial.callsOf("agent");
  if (outerAgent === undefined || innerAgent === undefined) return;
  expectThat(innerAgent.runtime !== outerAgent.runtime, "the sub-agent's run has the same runtime as the outer one");
  expectEqual(innerAgent.runtime.parent?.runId, outerAgent.runtime.runId, "the parent of the sub-agent's run");
  expectEqual(outerAgent.runtime.parent, undefined, "the parent of the outer run");
});
