import { expect, it } from "@jest/globals";
import {
  type ApprovalOptions,
  approvals,
  humanInTheLoop,
  type PendingApproval,
  type PersonDecision,
} from "@suite/approval";
import { type Notification, override, type Plugin } from "@suite/core";
import { memoryStateStore } from "@suite/kit/store";
import type { Decision, Observed } from "@suite/testkit";
import { describeInFramework, type SubjectOf } from "./in-framework.js";

const keys = [{ id: "k1", secret: "s".repeat(32) }];
const parameters = {
  type: "object",
  properties: { eur: { type: "number" } },
  required: ["eur"],
  additionalProperties: false,
};
const pay = { id: "call_p", name: "pay", arguments: { eur: 10 } };
const look = { id: "call_l", name: "look", arguments: { eur: 1 } };
const approve: Decision = { id: "call_p", type: "approve" };

/** Holds approvals in one framework: whole and streamed, each call runs on its own approval, once. */
export function describeApprovals(name: string, subjectOf: SubjectOf): void {
  describeInFramework(`approvals in ${name}`, subjectOf, ({ subject, stream }) => {
    /** A desk that pays, with what it ran, asked and told. */
    const desk = async (
      options: ApprovalOptions = {},
      before: readonly Plugin[] = [],
      after: readonly Plugin[] = [],
    ) => {
      const ran: unknown[] = [];
      const told: Notification[] = [];
      const asked: PendingApproval[] = [];
      const store = memoryStateStore();
      const rule = { when: (args: { eur: number }) => args.eur > 5 };
      const guard = humanInTheLoop({ pay: rule }, { store, ask: (request) => void asked.push(request), ...options });
      const watch: Plugin = { name: "watch", observe: (each) => void told.push(each) };
      const tool = (named: string) => ({
        name: named,
        description: named,
        parameters,
        execute: (input: unknown) => ran.push([named, input]) && `${named} did it`,
      });
      const seen = await subject.run({
        plugins: [watch, ...before, guard, ...after],
        answers: [{ toolCalls: [pay, look] }, ...Array(5).fill({ text: "Done so far." })],
        input: "go",
        tools: [tool("pay"), tool("look")],
        stream,
      });
      const decide = (decision: PersonDecision) =>
        approvals({ store, ...(options.keys && { keys: options.keys }) }).decide(asked[0]?.id ?? "none", decision);
      const words = () => told.flatMap((each) => (each.type === "decision" ? [each.decision] : []));
      return { seen, ran, told, asked, decide, words };
    };
    const resumed = async ({ resume }: Observed, decision: Decision = approve): Promise<Observed> => {
      if (resume === undefined) throw new Error("It does not wait.");
      return resume([decision]);
    };

    it("hold a call until a person has approved it, and none beside it", async () => {
      const { seen, ran, asked, words } = await desk();
      expect(seen.error).toBeUndefined();
      expect(seen.pending).toMatchObject([{ name: "pay", arguments: { eur: 10 }, reason: "approval" }]);
      expect(ran).toEqual([["look", { eur: 1 }]]);
      expect(asked).toMatchObject([{ toolName: "pay", toolCallId: "call_p", arguments: { eur: 10 } }]);
      const after = await resumed(seen);
      expect([after.text, ran.slice(1)]).toEqual(["Done so far.", [["pay", { eur: 10 }]]]);
      expect(after.prompts[0]).toContain("pay did it");
      expect(words()).toEqual(["asked", "used"]);
    });

    it("tell the model of a refusal, by the framework's own means", async () => {
      const { seen, ran } = await desk();
      const after = await resumed(seen, { id: "call_p", type: "reject", message: "Not before Monday." });
      expect([after.text, ran.slice(1)]).toEqual(["Done so far.", []]);
      expect(after.prompts[0]).toContain("Not before Monday.");
    });

    it.each<[string, PersonDecision, unknown[], string]>([
      ["approves", { decision: "approve", by: "ann" }, [["pay", { eur: 10 }]], "pay did it"],
      ["edits", { decision: "edit", arguments: { eur: 7 }, by: "ann" }, [["pay", { eur: 7 }]], "pay did it"],
      ["rejects", { decision: "reject", message: "Too much.", by: "ann" }, [], "Too much."],
      ["responds", { decision: "respond", response: "Paid by hand.", by: "ann" }, [], "Paid by hand."],
    ])("take a signed decision from the store that %s", async (_, decision, expected, says) => {
      const { seen, ran, decide, words, told } = await desk({ keys });
      await decide(decision);
      const after = await resumed(seen);
      expect([after.error, after.text, ran.slice(1)]).toEqual([undefined, "Done so far.", expected]);
      expect(after.prompts[0]).toContain(says);
      expect(words()).toEqual(["asked", "decided", "used"]);
      expect(told.filter((each) => each.type === "decision" && each.details?.by === "ann")).toHaveLength(2);
    });

    it("run no call that was approved without a signature if keys are configured", async () => {
      const { seen, ran, words } = await desk({ keys });
      const after = await resumed(seen);
      expect([after.text, ran.slice(1), words()]).toEqual(["Done so far.", [], ["asked", "refused"]]);
    });

    it("run nothing twice, however often the same state is resumed", async () => {
      const { seen, ran } = await desk();
      await Promise.all([resumed(seen), resumed(seen).catch(() => {})]);
      await resumed(seen).catch(() => {});
      expect(ran.slice(1)).toEqual([["pay", { eur: 10 }]]);
    });

    it.each(["outside", "inside"])(
      "run no other arguments than were approved: a layer %s has changed them",
      async (place) => {
        let goesOn = false;
        const layer: Plugin = {
          name: "changing",
          async tool(c, next) {
            if (goesOn && c.request.tool.name === "pay") c.request = override(c.request, { input: { eur: 9999 } });
            await next();
          },
        };
        const { seen, ran } = await desk({}, place === "outside" ? [layer] : [], place === "inside" ? [layer] : []);
        goesOn = true;
        const after = await resumed(seen);
        expect(ran.slice(1)).toEqual([]);
        expect(after.pending ?? after.text).toBeDefined();
      },
    );

    it("run at once what a person who is there has approved", async () => {
      const { seen, ran, words } = await desk({ ask: async () => ({ decision: "edit", arguments: { eur: 8 } }) });
      expect([seen.error, seen.pending, seen.text]).toEqual([undefined, undefined, "Done so far."]);
      expect(ran).toEqual(
        expect.arrayContaining([
          ["look", { eur: 1 }],
          ["pay", { eur: 8 }],
        ]),
      );
      expect(words()).toEqual(["asked", "decided", "used"]);
    });

    it("hold nothing where the arguments need no approval, or in monitor mode", async () => {
      const { seen, ran, words } = await desk({ mode: "monitor" });
      expect([seen.text, seen.pending]).toEqual(["Done so far.", undefined]);
      expect(ran).toHaveLength(2);
      expect(new Set(words())).toEqual(new Set(["asked"]));
    });

    it("run nothing if the store cannot be reached, and report it", async () => {
      const down = { ...memoryStateStore(), compareAndSet: () => Promise.reject(new Error("store down")) };
      const { seen, ran, words } = await desk({ store: down });
      expect([seen.pending, ran]).toEqual([undefined, [["look", { eur: 1 }]]]);
      expect(words()).toContain("fail_closed");
    });
  });
}
