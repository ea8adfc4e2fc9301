import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { ModelAnswer, RecordedRequest } from "@suite/testkit";
import { blocks } from "../../scripts/readme.mjs";
import { expectOneToken, expectSpans, namesToken } from "./conversation.js";
import { type Gemini, startGemini } from "./gemini.js";
import { describePage, node } from "./page.js";

let gemini: Gemini;
beforeAll(async () => {
  gemini = await startGemini();
});
afterAll(() => gemini.close());

/** A model that calls the tool of the page once, and then names the token. */
function looksUp(request: RecordedRequest): ModelAnswer {
  const sent = JSON.stringify(request.body);
  const name = "mcp__shop__find_order";
  return sent.includes("tool_result") ? namesToken(request) : { toolCalls: [{ id: "toolu_1", name, arguments: {} }] };
}

interface Program {
  readonly name: string;
  readonly file: string;
  /** The folder whose packages it uses. */
  readonly home?: string;
  /** The number of requests to the model. Default 2. */
  readonly requests?: number;
}

// Each page has a program of two turns, and the output that it prints.
const programs: readonly Program[] = [
  { name: "claude-agent-sdk", file: "agent.mjs", requests: 3 },
  { name: "langgraph", file: "graph.mjs" },
  { name: "openai-agents", file: "agent.mjs" },
  { name: "mastra", file: "agent.mjs" },
  { name: "google-adk", file: "agent.mjs" },
  { name: "strands", file: "agent.mjs", home: "strands" },
  { name: "voltagent", file: "agent.mjs", home: "voltagent" },
];

for (const { name, file, home, requests = 2 } of programs) {
  const tests: Parameters<typeof describePage>[1] = (page) => {
    it("prints what the page shows, while the provider gets one token and no value", async () => {
      page.model.script(name === "claude-agent-sdk" ? looksUp : namesToken);
      const variables = {
        GEMINI_API_KEY: "none",
        GOOGLE_GEMINI_BASE_URL: gemini.url,
        ANTHROPIC_API_KEY: "none",
        ANTHROPIC_BASE_URL: page.model.url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      };
      const { code, output } = await page.run(node, [file], variables);
      expect({ code, output }).toEqual({ code: 0, output: blocks(page.text, "text")[0] });
      expectOneToken(name === "google-adk" ? gemini : page.model, requests);
      await expectSpans(page.spans, "ada", "chat-1");
    }, 90_000);
  };
  describePage(name, tests, home);
}
