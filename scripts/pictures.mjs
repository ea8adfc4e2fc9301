// The pictures of README and guides, light and dark, made of what was measured or of a run:
//
//   node scripts/pictures.mjs            draws them into docs/pictures
//   node scripts/pictures.mjs --check    fails where those of measured figures are not current
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { detection, throughput } from "./pictures/measured.mjs";
import { onion } from "./pictures/onion.mjs";
import { soak } from "./pictures/soak.mjs";
import { palettes } from "./pictures/svg.mjs";
import { spansOfTheDesk, trace } from "./pictures/trace.mjs";
import { root } from "./workspaces.mjs";

const check = process.argv.includes("--check");
const stale = [];
// Times of a run are others each time: its picture is drawn, and not compared.
const spans = check ? undefined : await spansOfTheDesk();

for (const mode of /** @type {const} */ (["light", "dark"])) {
  const palette = palettes[mode];
  const drawn = {
    throughput: throughput(palette),
    detection: detection(palette),
    onion: await onion(palette),
    soak: soak(palette),
    ...(spans && { trace: trace(spans, palette) }),
  };
  for (const [name, svg] of Object.entries(drawn)) {
    const file = join(root, "docs", "pictures", `${name}-${mode}.svg`);
    if (!check) writeFileSync(file, svg);
    else if (readFileSync(file, "utf8") !== svg) stale.push(file);
  }
}
if (stale.length > 0) {
  console.error(`Not current: ${stale.join(", ")}. npm run pictures draws them.`);
  process.exitCode = 1;
}
