import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { type Attempt, type ContractTool, type Decision, type ModelServer, startModelServer } from "@suite/testkit";
import { found, text, watched } from "../../../../../integration-tests/watched.js";
import { aiSubject } from "../subject.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const parameters = { type: "object", properties: { of: { type: "string" }, prompt: { type: "string" } } };
const look: ContractTool = { name: "look", description: `Looks. ${text}`, parameters, execute: () => ({ said: text }) };
const call = { id: "call_1", name: "look", arguments: { of: text, prompt: text }, chunks: 6 };
const answers = [
  { text, toolCalls: [call], chunks: 4 },
  { text, chunks: 3 },
];

const { execute: _, ...elsewhere } = look;
const waiting: readonly (readonly [string, ContractTool, Decision])[] = [
  ["a tool that a person approves", { ...look, needsApproval: true }, { id: "call_1", type: "approve" }],
  ["a tool that a person rejects", { ...look, needsApproval: true }, { id: "call_1", type: "reject", message: text }],
  ["a tool that runs elsewhere", elsewhere, { id: "call_1", type: "result", response: { said: text } }],
];

describe.each(["functions", "agent"] as const)(
  "through the framework's %s, personal data is found nowhere",
  (entry) => {
    describe.each([false, true])("streamed: %s", (stream) => {
      const attempt = { input: text, systemPrompt: text, stream };

      it.each(waiting)("around %s", async (_, tool, decision) => {
        const { observed, after } = await tried({ ...attempt, tools: [tool], answers }, decision);
        expect(observed.pending).toHaveLength(1);
        expect(after?.text).toContain("[REDACTED_EMAIL]");
      });

      it("around an agent that is a tool", async () => {
        const agent = { name: "inner", tools: [{ ...look, name: "inner_look" }] };
        const inner = { toolCalls: [{ ...call, id: "call_2", name: "inner_look" }] };
        const tool: ContractTool = { ...elsewhere, agent };
        const [first, last] = answers as [(typeof answers)[0], (typeof answers)[0]];
        const { observed, spans } = await tried({ ...attempt, tools: [tool], answers: [first, inner, last, last] });
        expect(observed.text).toContain("[REDACTED_EMAIL]");
        expect(spans.filter(({ name }) => name === "invoke_agent")).toHaveLength(2);
      });
    });

    async function tried(attempt: Omit<Attempt, "plugins">, decision?: Decision) {
      const watch = watched();
      const observed = await aiSubject(() => server, entry).run({ ...attempt, plugins: watch.plugins });
      const after = decision && (await observed.resume?.([decision]));
      const { spans, records } = await watch.written();
      for (const told of [observed, after, spans, records]) expect(found(told)).toEqual([]);
      expect(observed.error).toBeUndefined();
      expect(records.length).toBeGreaterThan(5);
      return { observed, after, spans };
    }
  },
);
