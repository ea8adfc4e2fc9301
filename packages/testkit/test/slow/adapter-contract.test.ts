import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  describeAdapter,
  type ModelServer,
  type Scenario,
  type Subject,
  scenarios,
  startModelServer,
} from "@suite/testkit";
import { rejection } from "../clients.js";
import type { Bug } from "../stack-subject/bugs.js";
import { stackSubject } from "../stack-subject/subject.js";

let server: ModelServer | undefined;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server?.close());

const subject = (...bugs: readonly Bug[]): Subject => {
  if (server === undefined) throw new Error("The server starts before the first test.");
  return stackSubject(server, ...bugs);
};

describeAdapter(
  "a loop on core's stack",
  {
    ...stackSubject({} as ModelServer),
    run: (attempt) => subject().run(attempt),
    embed: (attempt) => subject().embed?.(attempt) ?? Promise.reject(new Error("It offers embeddings.")),
  },
  { describe, it },
);

const named = (name: string): Scenario => {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`There is no scenario "${name}".`);
  return found;
};

describe("the scenarios find", () => {
  it.each<[Bug, string]>([
    ["plugins in reverse", "a plain answer"],
    ["usage is lost", "an answer with its usage and the reason why it ended, plain"],
    ["streams come whole", "a streamed answer"],
    [
      "the system prompt is assembled twice",
      "a system prompt that plugins change, the first one first, once per model call, plain",
    ],
    ["calls without parents", "a plain answer"],
    ["answers that are not read on stay open", "a reader who stops in mid-stream"],
    ["the user reads past the plugins", "redaction of output that is split across chunks anywhere"],
    ["the model is sent what the plugins were given", "redaction of the input, plain"],
    [
      "tools are given what the model said",
      "redaction of a tool's arguments and result in the tool call alone, streamed",
    ],
    [
      "results go to the model past the plugins",
      "redaction of a tool's arguments and result in the tool call alone, plain",
    ],
    [
      "tools one after the other",
      "parallel tools run at the same time, and are reported in the order of the calls, plain",
    ],
    [
      "results in order of completion",
      "parallel tools run at the same time, and are reported in the order of the calls, plain",
    ],
    [
      "stack traces for the model",
      "a tool that fails is told to the model without a stack trace, and the run goes on, plain",
    ],
    [
      "tool errors end the run",
      "a tool that fails is told to the model without a stack trace, and the run goes on, plain",
    ],
    ["sub-agents without plugins", "a sub-agent, plain"],
    ["sub-agents in the same run", "a sub-agent, plain"],
    ["suspension as an error", "a tool that runs elsewhere, and its result, plain"],
    ["a new run on resume", "a tool that a person approves, plain"],
    ["approved tools run with the old arguments", "a tool whose arguments a person edits, plain"],
    ["rejected tools run", "a tool that a person rejects, plain"],
    ["local tools run again on resume", "tools that run elsewhere beside one that runs here, plain"],
    ["failures are answers like any", "a tool layer that answers that the call failed, plain"],
    ["requests of tools know nothing", "requests of tools know the answer's calls and the conversation, plain"],
    ["texts are embedded past the plugins", "embeddings of texts that a layer changed"],
    ["queries go past the plugins", "retrieval of what a layer redacts: query, documents and their metadata"],
    ["documents are given past the plugins", "retrieval of what a layer redacts: query, documents and their metadata"],
    [
      "what is remembered goes past the plugins",
      "memory of what a layer redacts: query, records and their metadata, plain",
    ],
    [
      "what is remembered is in no call",
      "a memory that a plugin searches before an answer, and changes after it, plain",
    ],
  ])("%s", async (bug, name) => {
    await named(name).run(subject());
    expect(await rejection(named(name).run(subject(bug)))).toMatchObject({ code: "ERR_TESTKIT_EXPECTATION" });
  });
});

it("the scenario of a reply from a tool layer fails where that is not served", async () => {
  const scenario = named("a tool layer that ends the run with a reply, plain");
  expect(await rejection(scenario.run(subject()))).toMatchObject({ code: "ERR_TESTKIT_EXPECTATION" });
});

it("a scenario that needs more than a subject offers is skipped, and its name says what is missing", () => {
  const skipped: string[] = [];
  const ran: string[] = [];
  describeAdapter(
    "small",
    { ...stackSubject({} as ModelServer), offers: new Set(["model"]) },
    {
      describe: (_, body) => body(),
      it: Object.assign((name: string) => void ran.push(name), { skip: (name: string) => void skipped.push(name) }),
    },
  );
  expect(ran).toContain("a plain answer");
  expect(skipped).toContain("a streamed answer (not offered: stream)");
  expect(ran.length + skipped.length).toBe(scenarios.length);
});
