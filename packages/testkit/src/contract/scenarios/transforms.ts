import type { CallNext, Invocation, Plugin } from "@suite/core";
import { type Changes, transform } from "@suite/core/transform";
import { expectEqual } from "../expect.js";
import { inBothModes, type Scenario } from "../scenario.js";
import { recordingTool } from "./texts.js";

const weather = { id: "call_w", name: "weather", arguments: { city: "Köln" } };

function changing(kind: "agent" | "reasoning" | "model", changes: Changes): Plugin {
  const layer = async (invocation: Pick<Invocation<"model">, "pipe">, callNext: CallNext): Promise<void> => {
    await callNext();
    transform(invocation, changes);
  };
  return { name: `contract-transform-${kind}`, [kind]: layer };
}

/** Answers that layers change with `transform`. */
export const transforms: readonly Scenario[] = [
  ...inBothModes("transform changes the text that the user sees", ["model"], async (tryIt, { hooks, offers }) => {
    for (const kind of ["model", "reasoning", "agent"] as const) {
      if (!hooks.has(kind)) continue;
      for (const changes of [
        { text: (fullText: string) => fullText.replace("Ada Lovelace", "somebody") },
        { piece: (piece: string) => piece.replaceAll(/[A-Z]/g, "x") },
      ]) {
        const answers = [{ text: "Good morning, Ada Lovelace.", chunks: 4 }];
        const { observed } = await tryIt({ plugins: [changing(kind, changes)], answers });
        const streamed = observed.pieces.length > 0;
        if (kind === "agent" && streamed && !offers.has("agent-streams")) continue;
        const wanted = "text" in changes ? "Good morning, somebody." : "xood morning, xda xovelace.";
        expectEqual(observed.text, wanted, `the text after a ${kind} layer`);
        if (streamed) expectEqual(observed.pieces.join(""), wanted, "the pieces, joined");
      }
    }
  }),

  ...inBothModes("transform changes the arguments of a tool call", ["tools"], async (tryIt) => {
    const { tool, inputs } = recordingTool("weather", "city", () => "clear");
    const { observed } = await tryIt({
      plugins: [changing("model", { arguments: (_, { name }) => ({ city: `the city of ${name}` }) })],
      tools: [tool],
      answers: [{ toolCalls: [weather], chunks: 3 }, { text: "Clear." }],
    });
    expectEqual(inputs, [{ city: "the city of weather" }], "what the tool was called with");
    expectEqual(observed.text, "Clear.", "the text");
  }),
];
