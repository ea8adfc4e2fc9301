import { join } from "node:path";
import { publishable } from "../../scripts/workspaces.mjs";
import { describeReadme } from "../readme.js";

/** The SDK of the latter needs a newer Node: `npm run test:frameworks` has it. */
const elsewhere = ["@suite/testkit", "@suite/openai-agents"];

describeReadme("the suite", "README.md");
for (const { dir, manifest } of publishable()) {
  if (!elsewhere.includes(manifest.name)) describeReadme(manifest.name, join(dir, "README.md"));
}
