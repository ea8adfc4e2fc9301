/** A model that is asked again when it fails, as `modelRetryMiddleware` of LangChain and `RetryMiddleware` of AG2. */
import { createAgent } from "@suite/agent";
import { retryModel } from "@suite/resilience";
import { scriptedModel } from "@suite/testkit";

// Four attempts where the error may be over in a moment, and a text of one's own when none is left.
const plugins = [
  retryModel({ maxAttempts: 4, initialDelay: 10, factor: 2, onExhausted: () => "Please come back later." }),
];

const model = scriptedModel({ fault: { status: 503 } }, { fault: { status: 429, retryAfter: 0 } }, "Hello.");
const result = await createAgent({ name: "assistant", model, plugins }).run("Hi.");
if (result.status === "completed") console.log(result.text, `after ${result.inferenceCalls} calls`);
