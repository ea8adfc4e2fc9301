import { expect, it } from "@jest/globals";
import type { AIMessageChunk } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import { pii } from "@suite/pii";
import * as langchain from "langchain";
import { withPlugins } from "../src/index.js";
import { ScriptedModel } from "./scripted-model.js";
import { asks, collect } from "./support.js";

const counted = (input_tokens: number, output_tokens: number) => ({
  usage_metadata: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
});

it("a streamed answer with its usage in several chunks counts each token once", async () => {
  const model = new ScriptedModel([
    [
      { content: "I am eve@", ...counted(17, 0) },
      { content: "example.com.", ...counted(0, 5), response_metadata: { stop_reason: "end_turn" } },
    ],
  ]);
  const guard = pii({ email: "redact" }, { apply: { output: true } });
  const agent = withPlugins(langchain, [guard]).createAgent({ model });
  const pieces = await collect(await agent.stream(asks("Hello."), { streamMode: "messages" }));
  const said = pieces.map(([chunk]) => chunk as AIMessageChunk).reduce((all, chunk) => concat(all, chunk));
  expect(said.text).not.toContain("eve@example.com");
  expect(said.usage_metadata).toMatchObject({ input_tokens: 17, output_tokens: 5, total_tokens: 22 });
});
