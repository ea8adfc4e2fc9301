import { type AgentResult, approve, type PendingState } from "@suite/agent";
import type { ModelAnswer } from "@suite/testkit";
import { everything } from "../planted.mjs";
import { type agents, report } from "./desk.mjs";

type Agents = ReturnType<typeof agents>;

/** A run of a scenario: the agents, whether it streams, its session. */
interface Run {
  readonly agents: Agents;
  readonly stream: boolean;
  readonly sessionId: string;
  readonly modelIsAsked: () => boolean;
}

/** A run of an agent, and the traces that it leaves: siblings, and traces, in the order of their names. */
export interface Scenario {
  readonly answers: (stream: boolean) => readonly ModelAnswer[];
  /** The pending state, where another process is to go on. */
  readonly run: (run: Run) => Promise<PendingState | undefined>;
  readonly traces: readonly (readonly string[])[];
}

const call = (id: string, name: string) => ({ id, name, arguments: { about: everything } });
const calls = (...names: readonly string[]): ModelAnswer => ({
  text: `I will ask ${everything}. `,
  toolCalls: names.map((name, index) => call(`call-${index}`, name)),
  chunks: 3,
});
const done: ModelAnswer = { text: `Done: ${everything}.`, chunks: "characters" };

type Input = Parameters<Agents["desk"]["run"]>[0];

/** One turn, streamed or not. */
async function turn(run: Run, name: keyof Agents, input: Input = `Tell ${everything}`): Promise<AgentResult> {
  const { agents, stream, sessionId } = run;
  if (!stream) return agents[name].run(input, { sessionId });
  const streamed = agents[name].stream(input, { sessionId });
  for await (const _ of streamed);
  return streamed.result;
}

/** A turn that is aborted when the first of its answer is there; whole, while the model is at work. */
async function aborted({ agents, stream, sessionId, modelIsAsked }: Run): Promise<AgentResult> {
  const controller = new AbortController();
  const options = { sessionId, signal: controller.signal };
  if (stream) {
    const streamed = agents.desk.stream("go", options);
    for await (const _ of streamed) controller.abort();
    return streamed.result;
  }
  const watch = setInterval(() => modelIsAsked() && controller.abort(), 5);
  return agents.desk.run("go", options).finally(() => clearInterval(watch));
}

const completes =
  (name: keyof Agents): Scenario["run"] =>
  async (run) => {
    const { status } = await turn(run, name);
    if (status !== "completed") throw new Error(`the run of ${name} is ${status}`);
    return undefined;
  };

const fails =
  (start: (run: Run) => Promise<AgentResult>): Scenario["run"] =>
  async (run) => {
    const outcome = await start(run).catch(() => undefined);
    if (outcome !== undefined) throw new Error("the run did not fail");
    return undefined;
  };

const waits = async (run: Run): Promise<PendingState> => {
  const first = await turn(run, "desk");
  if (first.status !== "suspended") throw new Error("the run does not wait");
  return JSON.parse(JSON.stringify(first.pending)) as PendingState;
};

const asked = (...below: readonly string[]): readonly string[] => [
  "invoke_agent desk",
  "  chat fake",
  ...below.map((line) => `  ${line}`),
];

/** Every kind of run, by name. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  plain: { answers: () => [done], run: completes("desk"), traces: [asked()] },
  tool: {
    answers: () => [calls("look_up"), done],
    run: completes("desk"),
    traces: [asked("chat fake", "execute_tool look_up")],
  },
  "parallel tools": {
    answers: () => [calls("look_up", "weigh"), done],
    run: completes("desk"),
    traces: [asked("chat fake", "execute_tool look_up", "execute_tool weigh")],
  },
  "failing tool": {
    answers: () => [calls("fail"), done],
    run: completes("desk"),
    traces: [asked("chat fake", "execute_tool fail failed")],
  },
  "failing model": {
    answers: () => [{ text: "", fault: { status: 503, message: `no ${everything}` } }],
    run: fails((run) => turn(run, "desk")),
    traces: [["invoke_agent desk failed", "  chat fake failed"]],
  },
  "abort in the middle": {
    answers: (stream) => [{ ...done, fault: { hang: stream ? { textPieces: 20 } : "before-headers" } }],
    run: fails(aborted),
    traces: [["invoke_agent desk failed", "  chat fake failed"]],
  },
  approval: {
    answers: () => [calls("refund"), done],
    async run(run) {
      const pending = await waits(run);
      await turn(run, "desk", { pending, decisions: pending.calls.map((each) => approve(each)) });
      return undefined;
    },
    traces: [asked("execute_tool refund"), asked("execute_tool refund", "  suite.human_input")],
  },
  "tool elsewhere, resumed in another process": {
    answers: () => [calls("ship")],
    run: waits,
    traces: [asked(), asked("execute_tool ship")],
  },
  "sub-agent": {
    answers: () => [{ toolCalls: [{ id: "sub", name: "desk", arguments: { prompt: everything } }] }, done, done],
    run: completes("lead"),
    traces: [
      [
        "invoke_agent lead",
        "  chat fake",
        "  chat fake",
        "  execute_tool desk",
        "    invoke_agent desk",
        "      chat fake",
      ],
    ],
  },
  "workflow of an agent that plans and has a memory": {
    answers: () => [
      {
        toolCalls: [
          call("1", "think"),
          { id: "2", name: "recall", arguments: { query: everything } },
          { id: "3", name: "note", arguments: { id: "n1", content: everything } },
          { id: "4", name: "forget", arguments: { id: "n1" } },
        ],
      },
      done,
      done,
    ],
    async run({ agents: team, stream, sessionId }) {
      const { status } = await report(team, stream)(`Tell ${everything}`, { sessionId });
      if (status !== "completed") throw new Error(`the workflow is ${status}`);
      return undefined;
    },
    traces: [
      [
        "invoke_workflow report",
        "  invoke_agent desk",
        "    chat fake",
        "  invoke_agent planner",
        "    chat fake",
        "    execute_tool forget",
        "      delete_memory",
        "    execute_tool note",
        "      upsert_memory",
        "    execute_tool recall",
        "      search_memory",
        "    execute_tool think",
        "      plan planner",
        "    plan planner",
        "      chat fake",
      ],
    ],
  },
  "structured output": {
    answers: () => [{ text: JSON.stringify({ to: everything }) }],
    run: completes("form"),
    traces: [["invoke_agent form", "  chat fake"]],
  },
  "structured output that does not fit": {
    // Without personal data: what a guard has rewritten is no answer of the model that could be refused.
    answers: () => [{ text: JSON.stringify({ about: "nothing" }) }],
    run: fails((run) => turn(run, "form")),
    traces: [["invoke_agent form failed", "  chat fake"]],
  },
};
