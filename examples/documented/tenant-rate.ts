/** Calls of each tenant in a window, as the rate limit of Ravi. */
import { createAgent } from "@suite/agent";
import { rateLimit } from "@suite/limits";
import { scriptedModel } from "@suite/testkit";

// Two calls a minute for each tenant; "wait", the default, would let the third one wait. `store` counts for all processes.
const perTenant = rateLimit({ calls: 2, window: 60_000, tenant: ({ userId }) => userId, whenExceeded: "refuse" });

const agent = createAgent({ name: "assistant", model: scriptedModel(() => "Hello."), plugins: [perTenant] });
for (const userId of ["acme", "acme", "acme", "other"]) {
  const outcome = agent.run("Hi.", { userId }).then(({ status }) => status);
  console.log(userId, await outcome.catch(({ code }) => code));
}
