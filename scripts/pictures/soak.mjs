// The picture of a soak: memory and open handles of a support desk over an hour, with what was killed meanwhile.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../workspaces.mjs";
import { box, label, picture, polyline, stroke } from "./svg.mjs";

/** @typedef {import("./svg.mjs").Palette} Palette */
/** @typedef {"heap" | "rss" | "timers" | "handles" | "descriptors"} Measured */
/** @typedef {{ at: number } & Record<Measured, number>} Point minutes, and MiB or a number */
/** @typedef {{ name: Measured, shown: string, strong?: boolean }} Line */

const [left, right, width] = [48, 132, 820];

/** Memory, handles and timers, one below the other, on one axis of time. @param {Palette} palette */
export function soak(palette) {
  /** @type {{ measured: string, minutes: number, runs: number, samples: readonly Point[], outages: readonly { what: string, from: number, to: number }[] }} */
  const { measured, minutes, runs, samples, outages } = JSON.parse(
    readFileSync(join(root, "docs/pictures/soak.json"), "utf8"),
  );
  const title = "A support desk with every plugin of the suite: an hour with faults on";
  const x = (/** @type {number} */ at) => left + (at / minutes) * (width - left - right);

  /** One chart, from `top` to `bottom`. @param {number} top @param {number} bottom @param {string} unit @param {readonly Line[]} lines */
  const chart = (top, bottom, unit, lines) => {
    const values = lines.flatMap(({ name }) => samples.map((sample) => sample[name]));
    const step = stepOf(Math.max(...values));
    const most = Math.ceil(Math.max(...values) / step) * step;
    const y = (/** @type {number} */ value) => bottom - (value / most) * (bottom - top);
    const marks = Array.from({ length: most / step + 1 }, (_, index) => index * step);
    const ends = apart(lines.map(({ name }) => y(samples.at(-1)?.[name] ?? 0)));
    return [
      label(0, top - 10, unit, { weight: 600 }),
      ...marks.flatMap((value) => [
        stroke(left, y(value), width - right, y(value), palette.line),
        label(left - 8, y(value) + 4, `${value}`, { anchor: "end", size: 12, fill: palette.muted }),
      ]),
      ...lines.flatMap(({ name, shown, strong }, index) => {
        const colour = strong ? palette.accent : (palette.others[0] ?? palette.line);
        return [
          polyline(
            samples.map((sample) => [x(sample.at), y(sample[name])]),
            colour,
          ),
          label(width - right + 8, (ends[index] ?? bottom) + 4, shown, {
            size: 12,
            fill: strong ? palette.text : palette.muted,
          }),
        ];
      }),
    ];
  };

  const [row, first] = [16, 404];
  const kinds = ["Redis", "Collector"];
  const minuteMarks = Array.from({ length: Math.floor(minutes / 10) + 1 }, (_, index) => index * 10);
  const down = kinds.flatMap((kind, index) => [
    label(width - right + 8, first + index * row + 10, `${kind} down`, { size: 12, fill: palette.muted }),
    ...outages
      .filter(({ what }) => what === kind)
      .map(({ from, to }) =>
        box(x(from), first + index * row, Math.max(2, x(to) - x(from)), 11, { fill: palette.accent, radius: 1 }),
      ),
  ]);
  const axis = first + kinds.length * row + 14;
  const body = [
    label(0, 18, title, { size: 16, weight: 600 }),
    ...chart(64, 220, "Memory, MiB", [
      { name: "rss", shown: "resident (RSS)" },
      { name: "heap", shown: "heap in use", strong: true },
    ]),
    ...chart(270, 380, "Open", [
      { name: "descriptors", shown: "descriptors" },
      { name: "handles", shown: "handles" },
      { name: "timers", shown: "timers", strong: true },
    ]),
    ...down,
    ...minuteMarks.map((at) => label(x(at), axis, `${at}`, { anchor: "middle", size: 12, fill: palette.muted })),
    label(width - right + 8, axis, "minutes", { size: 12, fill: palette.muted }),
    label(
      0,
      axis + 26,
      `${runs.toLocaleString("en")} runs, ${measured}. Each point is taken after a collection of garbage, while no run is at work: packages/bench/soak.md.`,
      { size: 12, fill: palette.muted },
    ),
  ];
  return picture({ width, height: axis + 36, title, palette }, body);
}

/** Heights, the upper ones first, moved so far apart that labels do not cover each other. @param {readonly number[]} heights */
function apart(heights) {
  let last = Number.NEGATIVE_INFINITY;
  return heights.map((height) => {
    last = Math.max(height, last + 14);
    return last;
  });
}

/** A round distance between two marks, of which at most five stand below a value. @param {number} most */
function stepOf(most) {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500];
  return steps.find((step) => most / step <= 5) ?? most;
}
