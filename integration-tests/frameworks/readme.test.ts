import { describeReadme } from "../readme.js";

describeReadme("@suite/openai-agents", "packages/adapters/openai-agents/README.md");
