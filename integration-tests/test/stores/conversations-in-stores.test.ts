import { expect, it } from "@jest/globals";
import { createAgent } from "@suite/agent";
import { type StateStore, textOf } from "@suite/core";
import { conversations } from "@suite/memory";
import { postgresStateStore } from "@suite/store-postgres";
import { scripted } from "../../../packages/agent/test/support.js";
import { withPostgres } from "../../postgres.js";
import { withRedis } from "../../redis.js";
import { postgresForTests } from "./postgres-for-tests.js";
import { redisForTests } from "./redis-for-tests.js";

/** An agent with an instance of its own, as another process has it. */
function agentOn(store: StateStore, ...answers: readonly string[]) {
  const history = conversations({ store });
  const model = scripted(...answers);
  return { agent: createAgent({ name: "outer", model, plugins: [history] }), model, history };
}

/** Holds conversations in one store that processes share. */
function describeConversationsIn(open: () => StateStore): void {
  it("goes on in another process, word for word", async () => {
    const said = "Ünïcode 🍵 \\u0000 \" ' \n of Ada";
    const first = agentOn(open(), "Hello.");
    await first.agent.run(said, { sessionId: "words", userId: "ada" });
    const second = agentOn(open(), "Ada.");
    await second.agent.run("Who am I?", { sessionId: "words", userId: "ada" });
    expect(second.model.asked[0]?.messages.map((each) => textOf(each))).toEqual([said, "Hello.", "Who am I?"]);
  });

  it("loses no turn of many processes at once", async () => {
    const questions = Array.from({ length: 24 }, (_, at) => `question ${at}`);
    await Promise.all(questions.map((each) => agentOn(open(), "Yes.").agent.run(each, { sessionId: "crowd" })));
    const { history } = agentOn(open());
    const kept = (await history.messages("crowd")).map((each) => textOf(each));
    expect(kept.filter((each) => each.startsWith("question")).sort()).toEqual([...questions].sort());
    expect(kept.filter((_, at) => at % 2 === 1)).toEqual(questions.map(() => "Yes."));
  });
}

withRedis("conversations on a real Redis", () => {
  const redis = redisForTests();
  describeConversationsIn(() => redis.store);
});

withPostgres("conversations on a real PostgreSQL", () => {
  const open = postgresForTests();
  describeConversationsIn(() => postgresStateStore(open.pool));
});
