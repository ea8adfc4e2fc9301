import { describe, it } from "@jest/globals";
import { toolPolicy } from "@suite/guardrails";
import { describePlugin, type PluginAct } from "@suite/testkit";

const says = (text: string) => (given: unknown) => JSON.stringify(given).includes(text);

const denies: PluginAct = {
  name: "refuses a call that its policy denies",
  kind: "tool",
  after: 0,
  by: "answer",
  is: says("This call of look is not allowed and was not run. Look elsewhere."),
  create: () =>
    toolPolicy({ policy: { version: 1, default: "allow", deny: [{ tools: ["look"], message: "Look elsewhere." }] } }),
  monitor: () => toolPolicy({ policy: { version: 1 }, mode: "monitor" }),
};
const rated = { version: 1, default: "allow", rates: [{ tools: ["*"], calls: 2, per: "run" }] } as const;
const rates: PluginAct = {
  name: "refuses a call beyond a rate",
  kind: "tool",
  after: 2,
  by: "answer",
  durable: true,
  is: says("This call of look is not allowed and was not run. Too many calls."),
  create: () => toolPolicy({ policy: rated }),
  monitor: () => toolPolicy({ policy: rated, mode: "monitor" }),
};

const harmless = { version: 1, default: "allow", rates: [{ tools: ["*"], calls: 1000, per: "run" }] } as const;
describePlugin(
  "toolPolicy",
  { create: () => toolPolicy({ policy: harmless, candidate: harmless }), acts: [denies, rates] },
  { describe, it },
);
