import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";
import { root } from "../../../../../scripts/workspaces.mjs";

it("a follower holds the bytes of unsigned lines, and no object for each", async () => {
  const program = `
    import { CoveredLines } from ${JSON.stringify(join(root, "packages/plugins/audit-followers/dist/follow/covered-lines.js"))};
    const lines = new CoveredLines("a.jsonl", undefined);
    const bytes = new TextEncoder().encode("{}");
    const count = 1_300_000;
    for (let n = 0; n < count; n++) lines.push({ bytes: bytes.slice(), offset: 3 * n, complete: true });
    console.log("held");`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--max-old-space-size=64", "--input-type=module", "-e", program],
    { cwd: join(root, "packages/plugins/audit-followers"), timeout: 120_000 },
  );
  expect(stdout).toBe("held\n");
});
