import { describe, it } from "@jest/globals";
import { describeAdapter } from "@suite/testkit";
import { agentsSubject } from "./subject.js";
import { apis, useServer } from "./support.js";

const fixture = useServer();

for (const api of apis) {
  describeAdapter(
    `OpenAI Agents 0.20, ${api}`,
    agentsSubject(() => fixture.server, api),
    { describe, it },
  );
}
