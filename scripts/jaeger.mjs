// A real Jaeger: `node scripts/jaeger.mjs` prints where it is.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { collector } from "./collector.mjs";
import { find, goBuild, provide } from "./programs.mjs";
import { root } from "./workspaces.mjs";

const folder = join(root, "jaeger");

/** @type {import("./programs.mjs").Recipe} */
export const jaeger = {
  title: "Jaeger",
  variable: "JAEGER",
  names: ["jaeger"],
  folder,
  image: { name: "jaegertracing/jaeger", program: "/cmd/jaeger/jaeger-linux" },
  sources: ["go.mod", "go.sum"],
  build: (go, program) => goBuild(go, folder, "github.com/jaegertracing/jaeger/cmd/jaeger", program),
};

/** Provides Jaeger to Jest: spans come to it through a collector. */
export default () => provide(collector, jaeger);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = find(jaeger);
  console.log("program" in found ? found.program : `None: ${found.missing}`);
}
