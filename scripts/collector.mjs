// A real OpenTelemetry Collector: `node scripts/collector.mjs` prints where it is.
// `--update` resolves the modules of collector/builder.yaml anew, and writes collector/go.mod and go.sum.
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { find, findGo, goBuild, inScratch, provide, run } from "./programs.mjs";
import { root } from "./workspaces.mjs";

const folder = join(root, "collector");
const modules = ["go.mod", "go.sum"];
const builder = "go.opentelemetry.io/collector/cmd/builder";

/** @type {import("./programs.mjs").Recipe} */
export const collector = {
  title: "OpenTelemetry Collector",
  variable: "OTELCOL",
  names: ["otelcol-contrib", "otelcol"],
  folder,
  env: { EXPORT_ENDPOINT: "http://localhost:1" },
  image: { name: "otel/opentelemetry-collector-contrib", program: "/otelcol-contrib" },
  sources: ["builder.yaml", ...modules],
  build(go, program, scratch) {
    generate(go, scratch);
    for (const name of modules) copyFileSync(join(folder, name), join(scratch, name));
    goBuild(go, scratch, ".", program);
  },
};

/** Provides the collector to Jest. */
export default () => provide(collector);

/** The collector's source text. The builder is run as go.mod and go.sum pin it. @param {string} go @param {string} into */
function generate(go, into) {
  const manifest = join(into, "builder.yaml");
  copyFileSync(join(folder, "builder.yaml"), manifest);
  goBuild(go, folder, builder, join(into, "builder"));
  run(join(into, "builder"), [`--config=${manifest}`, "--skip-compilation"], into);
}

/** @param {string} go */
function update(go) {
  const version = /^ {2}version: (\S+)$/m.exec(readFileSync(join(folder, "builder.yaml"), "utf8"))?.[1];
  const takeBuilder = ["get", "-tool", `${builder}@v${version}`];
  inScratch((scratch) => {
    run(go, takeBuilder, folder);
    generate(go, scratch);
    run(go, takeBuilder, scratch);
    run(go, ["mod", "tidy"], scratch);
    for (const name of modules) copyFileSync(join(scratch, name), join(folder, name));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const go = findGo();
  if (process.argv.includes("--update") && go !== undefined) update(go);
  const found = find(collector);
  console.log("program" in found ? found.program : `None: ${found.missing}`);
}
