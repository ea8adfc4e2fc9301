import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";
import { root } from "../../../../scripts/workspaces.mjs";

it("the example, built, refunds after a handoff and an approval, and tells no personal data", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "openai-agents-example-"));
  try {
    const program = join(root, "examples/dist/openai-agents/main.js");
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { cwd });
    expect(stdout).toBe(
      "I will refund that. [refund: approved] Refunded to card ****-****-****-1111. A receipt goes to [REDACTED_EMAIL].\n",
    );
    expect(stderr).toMatch(/invoke_agent support .*suspended/);
    expect(stderr).toMatch(/execute_tool refund .*approved/);
    expect(stdout + stderr).not.toMatch(/omar@|4111/);
  } finally {
    await rm(cwd, { recursive: true });
  }
});
