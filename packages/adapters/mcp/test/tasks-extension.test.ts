import { describe, expect, it } from "@jest/globals";
import { pii } from "@suite/pii";
import { z } from "zod";
import { pair2 } from "./pair2.js";

const MAIL = "jane.doe@example.com";
const result = z.looseObject({});

describe.each(["channel", "http"] as const)("the extension for tasks, over %s", (link) => {
  it.each(["atClient", "atServer"] as const)("its results, questions and answers pass the layers: %s", async (side) => {
    const guard = pii({ email: "redact" }, { apply: { humanInput: true, toolResults: true } });
    const answers: unknown[] = [];
    const { client } = await pair2(
      ({ server }) => {
        server.setRequestHandler("tasks/get", { params: z.looseObject({ taskId: z.string() }) }, ({ taskId }) => {
          if (taskId === "done")
            return { taskId, status: "completed", result: { content: [{ type: "text", text: `To ${MAIL}` }] } };
          const params = { mode: "form", message: `Is it ${MAIL}?`, requestedSchema: { type: "object" } };
          return {
            taskId,
            status: "input_required",
            inputRequests: { sure: { method: "elicitation/create", params } },
          };
        });
        server.setRequestHandler("tasks/update", { params: z.looseObject({}) }, (params, { mcpReq }) => {
          answers.push(mcpReq.inputResponses ?? params.inputResponses);
          return {};
        });
      },
      { [side]: [guard], link },
    );
    const get = (taskId: string) => client.request({ method: "tasks/get", params: { taskId } }, result);
    expect(await get("done")).toMatchObject({ result: { content: [{ text: "To [REDACTED_EMAIL]" }] } });
    expect(await get("asks")).toMatchObject({
      inputRequests: { sure: { params: { message: "Is it [REDACTED_EMAIL]?" } } },
    });
    const inputResponses = { sure: { action: "accept", content: { note: MAIL } } };
    await client.request({ method: "tasks/update", params: { taskId: "asks", inputResponses } }, result);
    expect(answers).toEqual([{ sure: { action: "accept", content: { note: "[REDACTED_EMAIL]" } } }]);
  });
});
