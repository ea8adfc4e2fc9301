// Tests the oldest and the newest version in each peer range. Without an argument, the versions of
// `scripts/versions/tested.json` are tested. With `--update`, those of the registry are, and the file and the READMEs
// are written if all pass. Further arguments name packages or peers to which the run is limited.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onPath, skip } from "./needs.mjs";
import { pack } from "./pack.mjs";
import { newestVersions } from "./versions/registry.mjs";
import { roundsOf } from "./versions/rounds.mjs";
import { file, readVersions, withTable } from "./versions/table.mjs";
import { tryRound } from "./versions/try.mjs";
import { publishable, root } from "./workspaces.mjs";

const isUpdate = process.argv.includes("--update");
const only = process.argv.slice(2).filter((argument) => argument !== "--update");
const versions = isUpdate ? await newestVersions() : readVersions();
const rounds = roundsOf(versions).filter(
  ({ packages, peers }) => only.length === 0 || [...packages, ...peers].some((name) => only.includes(name)),
);

const folder = mkdtempSync(join(tmpdir(), "versions-"));
const tarballs = new Map(pack(folder).map(({ name, tarball }) => [name, tarball]));
/** @type {string[]} */
const failed = [];
const queue = rounds.map((round, at) => ({ round, project: join(folder, `${at}`) }));

async function work() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { round, project } = next;
    const title = round.peers.map((peer) => `${peer} ${round.versions[peer]}`).join(", ");
    if (round.needs !== undefined && onPath([round.needs]).length === 0) {
      skip(round.needs, `the tests of ${title}`);
      continue;
    }
    const start = Date.now();
    const { ok, output } = await tryRound(round, project, tarballs);
    console.log(`${ok ? "ok    " : "FAILED"} ${((Date.now() - start) / 1000).toFixed(0).padStart(4)} s  ${title}`);
    if (!ok) {
      failed.push(title);
      console.log(output.slice(-6000));
    }
    rmSync(project, { recursive: true });
  }
}

try {
  // Two at a time: an installation waits for the network and the disk while tests of another one run.
  await Promise.all([work(), work()]);
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${rounds.length - failed.length} of ${rounds.length} passed`);
if (failed.length > 0) process.exitCode = 1;
else if (isUpdate) {
  const before = only.length === 0 ? {} : readVersions();
  const tested = Object.entries(versions).filter(([name]) => only.length === 0 || only.includes(name));
  const all = { ...before, ...Object.fromEntries(tested) };
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  for (const { dir, manifest } of publishable()) {
    const peers = all[manifest.name];
    if (peers === undefined) continue;
    const readme = join(root, dir, "README.md");
    writeFileSync(readme, withTable(readFileSync(readme, "utf8"), peers));
  }
}
