import { expect, it } from "@jest/globals";
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { pii } from "@suite/pii";
import { pair } from "./pair.js";

const MAIL = "jane.doe@example.com";

it.each(["client", "server"] as const)("what a log or progress says is redacted at the %s", async (side) => {
  const plugins = [pii({ email: "redact" }, { apply: { toolResults: true } })];
  const heard: unknown[] = [];
  const { client } = await pair(
    (server, plain) => {
      plain.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params));
      server.registerTool("tell", {}, async ({ _meta, sendNotification }) => {
        const progressToken = _meta?.progressToken ?? "";
        await server.server.sendLoggingMessage({
          level: "info",
          logger: "shop",
          data: { deep: [`Hello, ${MAIL}`], n: 1 },
        });
        await sendNotification({
          method: "notifications/progress",
          params: { progressToken, progress: 1, total: 2, message: `Mailing ${MAIL}` },
        });
        return { content: [] };
      });
    },
    side === "client" ? { atClient: plugins } : { atServer: plugins },
  );
  await client.callTool({ name: "tell" }, undefined, { onprogress: (progress) => heard.push(progress) });
  expect(heard).toEqual([
    { level: "info", logger: "shop", data: { deep: ["Hello, [REDACTED_EMAIL]"], n: 1 } },
    { progress: 1, total: 2, message: "Mailing [REDACTED_EMAIL]" },
  ]);
});
