import { expect, it } from "@jest/globals";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { humanInTheLoop } from "@suite/approval";
import type { Notification, Plugin } from "@suite/core";
import { toolPolicy } from "@suite/guardrails";
import { memoryStateStore } from "@suite/kit/store";
import type { Observed } from "@suite/testkit";
import { tracing } from "@suite/tracing";
import { describeInFramework, type SubjectOf } from "./in-framework.js";

const pay = { id: "call_p", name: "pay", arguments: { eur: 10 } };
const parameters = {
  type: "object",
  properties: { eur: { type: "number" } },
  required: ["eur"],
  additionalProperties: false,
};

/** Holds that one refusal has the same span in each framework: status, type of error, parent, link and number. */
export function describeRefusals(name: string, subjectOf: SubjectOf): void {
  describeInFramework(`refused calls in ${name}`, subjectOf, ({ subject, stream }) => {
    const traced = async (guards: readonly Plugin[], needsApproval: boolean) => {
      const exporter = new InMemorySpanExporter();
      const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      const told: Notification[] = [];
      const watch: Plugin = { name: "watch", observe: (each) => void told.push(each) };
      let ran = 0;
      const seen = await subject.run({
        plugins: [tracing({ tracerProvider }), watch, ...guards],
        answers: [{ toolCalls: [pay] }, { text: "Not done." }],
        input: "go",
        tools: [{ name: "pay", description: "Pays.", parameters, needsApproval, execute: () => ++ran }],
        stream,
      });
      const spans = () => exporter.getFinishedSpans();
      const named = (prefix: string) => spans().filter((span) => span.name.startsWith(prefix));
      const ofTool = () =>
        named("execute_tool pay").filter(({ attributes }) => attributes["gen_ai.tool.call.id"] !== undefined);
      return { seen, told, ran: () => ran, turns: () => named("invoke_agent"), ofTool };
    };
    const rejected = async ({ resume }: Observed): Promise<Observed> => {
      if (resume === undefined) throw new Error("The run does not wait.");
      return resume([{ id: "call_p", type: "reject", message: "Not before Monday." }]);
    };
    const attributes = { "suite.status": "denied", "error.type": "denied", "gen_ai.tool.call.id": "call_p" };

    it("by a policy have a span with the status denied, below their turn", async () => {
      const { ofTool, turns, ran } = await traced([toolPolicy({ policy: { version: 1, default: "deny" } })], false);
      expect(ran()).toBe(0);
      const [span, ...more] = ofTool();
      expect(more).toEqual([]);
      expect(span).toMatchObject({ attributes, status: { code: 2, message: "The call was refused." } });
      const [turn] = turns();
      expect(span?.spanContext().traceId).toBe(turn?.spanContext().traceId);
    });

    it.each([
      ["by the framework's own means", [], true],
      ["by humanInTheLoop", [() => humanInTheLoop({ pay: true }, { store: memoryStateStore(), ask: () => {} })], false],
    ] as const)(
      "by a person who was asked %s have one span with the status denied, below the turn that asked, linked with the one that goes on",
      async (_, guards, needsApproval) => {
        const { seen, told, ofTool, turns, ran } = await traced(
          guards.map((guard) => guard()),
          needsApproval,
        );
        expect(seen.pending).toMatchObject([{ id: "call_p" }]);
        expect(ofTool()).toEqual([]);
        const after = await rejected(seen);
        expect([after.error, after.text, ran()]).toEqual([undefined, "Not done.", 0]);
        const [span, ...more] = ofTool();
        expect(more).toEqual([]);
        expect(span).toMatchObject({
          attributes: { ...attributes, "suite.approval.decision": "rejected" },
          status: { code: 2, message: "The call was refused." },
        });
        const [asked, resumed] = turns().sort(
          (a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1],
        );
        expect(span?.parentSpanContext?.spanId).toBe(asked?.spanContext().spanId);
        expect(span?.links.map(({ context }) => context.spanId)).toEqual([resumed?.spanContext().spanId]);
        expect(resumed?.links.map(({ context }) => context.spanId)).toEqual([asked?.spanContext().spanId]);
        const decisions = told.flatMap((each) => (each.type === "approval" ? [each.decision] : []));
        expect(decisions).toEqual(["rejected"]);
      },
    );
  });
}
