import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { answerWith, type Question } from "@suite/approval";
import { agUi } from "../../front-ends/ag-ui.js";
import { chat } from "../../front-ends/chat.js";
import { graph } from "../../front-ends/graph.js";
import { mcp } from "../../front-ends/mcp.js";
import { service, viewer } from "../../front-ends/services.js";
import { type Asked, type Desk, startRefundModel, type World, worldOf } from "../../front-ends/world.js";

let model: Awaited<ReturnType<typeof startRefundModel>>;
beforeAll(async () => {
  model = await startRefundModel();
});
afterAll(() => model.close());

let world: Awaited<ReturnType<typeof worldOf>>;
/** The lines that the tool printed. */
let ran: string[];

beforeEach(async () => {
  ran = [];
  jest.spyOn(console, "log").mockImplementation((line: string) => void ran.push(line));
  world = await worldOf();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await world.close();
});

const once = ["refunded 40 EUR"];
const approval = (question: Question) => answerWith(question, { decision: "approve" });
const forged = (id: string): string => `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;

/** Moves the clock of this process beyond the end of all questions. */
function later(): void {
  const { now } = Date;
  jest.spyOn(Date, "now").mockImplementation(() => now() + 25 * 60 * 60 * 1000);
}

/** The reasons for which a front end refuses answers. */
interface Refusals {
  readonly forged: string | RegExp;
  readonly replayed: string | RegExp;
  readonly edited: string | RegExp;
  readonly late: string | RegExp;
}

const codes: Refusals = {
  forged: "ERR_APPROVAL_UNKNOWN",
  replayed: "ERR_APPROVAL_DECIDED",
  edited: "ERR_APPROVAL_NOT_ALLOWED",
  late: "ERR_APPROVAL_EXPIRED",
};
const waits = "This waits for a person.";
const inForms: Refusals = { forged: waits, replayed: waits, edited: waits, late: "Not done." };
const onPage: Refusals = {
  forged: /no request with this id/,
  replayed: /already decided/,
  edited: /"approve" has no arguments/,
  late: /expired/,
};

describe.each<[string, (world: World) => Promise<Asked>, Refusals]>([
  ["AG-UI's client", agUi, codes],
  ["the AI SDK's chat", chat, codes],
  ["MCP's client", mcp, inForms],
  ["LangGraph", graph, codes],
  ["a service by webhook", service, codes],
  ["the viewer", viewer, onPage],
])("an approval by %s", (_, open, refusals) => {
  it("runs the call once on the right answer", async () => {
    const { question, answer } = await open(world);
    expect(question).toMatchObject({ toolName: "refund", arguments: { eur: 40 } });
    expect(ran).toEqual([]);
    expect([await answer(approval(question)), ran]).toEqual(["accepted", once]);
  });

  it.each<[string, keyof Refusals, (question: Question) => object]>([
    ["a forged digest", "forged", (question) => ({ ...approval(question), id: forged(question.id) })],
    ["edited arguments", "edited", (question) => ({ ...approval(question), arguments: { eur: 4000 } })],
  ])("runs nothing on an answer with %s, and stays open", async (__, kind, made) => {
    const { question, answer } = await open(world);
    expect(await answer(made(question))).toEqual(expect.stringMatching(refusals[kind]));
    expect(ran).toEqual([]);
    const { desk } = await world.load<Desk>("desk");
    expect([await desk.decision(question.id), (await desk.get(question.id))?.id]).toEqual([undefined, question.id]);
    if (open === mcp) return; // its form is closed: the answer comes from elsewhere
    expect([await answer(approval(question)), ran]).toEqual(["accepted", once]);
  });

  it("runs nothing again on a replayed answer", async () => {
    const { question, answer } = await open(world);
    await answer(approval(question));
    expect(await answer(approval(question))).toEqual(expect.stringMatching(refusals.replayed));
    expect(ran).toEqual(once);
  });

  it("runs nothing on a late answer", async () => {
    const { question, answer } = await open(world);
    later();
    expect(await answer(approval(question))).toEqual(expect.stringMatching(refusals.late));
    expect(ran).toEqual([]);
  });
});

it("the AI SDK's chat runs nothing that its own approval alone allows, or whose call its client has changed", async () => {
  const alone = await chat(world);
  // The text that the framework shows for the error of a tool.
  expect(await alone.answer(undefined)).toBe("An error occurred.");
  const changed = await chat(world, (message) => ({
    ...message,
    parts: message.parts.map((part) => ("input" in part ? { ...part, input: { eur: 4000 } } : part) as typeof part),
  }));
  expect(await changed.answer(approval(changed.question))).toBe("An error occurred.");
  expect(ran).toEqual([]);
});

it("AG-UI's client cancels an interrupt, which stays open, and answers by a form without the id", async () => {
  const { question, answer, cancel } = await agUi(world);
  expect(await cancel()).toEqual([question.id]);
  expect(ran).toEqual([]);
  expect(await answer({ decision: "approve" })).toBe("accepted");
  expect(ran).toEqual(once);
});

it("LangGraph runs nothing that its command alone allows", async () => {
  const { resume } = await graph(world);
  await resume();
  expect(ran).toEqual([]);
});

it("a terminal runs the call once on yes, and prints the answer", async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin") as PropertyDescriptor;
  Object.defineProperty(process, "stdin", { configurable: true, value: input });
  jest.spyOn(process.stderr, "write").mockImplementation((text) => {
    if (String(text).endsWith("? ")) setImmediate(() => input.write("y\ny\n"));
    return true;
  });
  try {
    await world.load("prompt");
  } finally {
    Object.defineProperty(process, "stdin", stdin);
  }
  expect(ran).toEqual([...once, "Done."]);
});
