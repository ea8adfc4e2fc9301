// Drawing in SVG: text, boxes and charts of bars, for a light and a dark page.

/** @typedef {{ text: string, muted: string, line: string, panel: string, accent: string, others: readonly string[] }} Palette */

/** The colours of both pages. All text has a contrast of at least 4.5 on its page. @type {Readonly<Record<"light" | "dark", Palette>>} */
export const palettes = {
  light: {
    text: "#1f2328",
    muted: "#59636e",
    line: "#d1d9e0",
    panel: "#f6f8fa",
    accent: "#0969da",
    others: ["#6e7781", "#8c959f", "#afb8c1", "#8c959f", "#afb8c1"],
  },
  dark: {
    text: "#f0f6fc",
    muted: "#9198a1",
    line: "#3d444d",
    panel: "#151b23",
    accent: "#4493f8",
    others: ["#9198a1", "#6e7681", "#57606a", "#6e7681", "#57606a"],
  },
};

const font = "ui-sans-serif, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";

/** Text as SVG takes it. @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A picture of this size. @param {{ width: number, height: number, title: string, palette: Palette }} about @param {readonly string[]} body */
export function picture({ width, height, title, palette }, body) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${font}" font-size="13" fill="${palette.text}">`,
    `<title>${escaped(title)}</title>`,
    ...body,
    "</svg>\n",
  ].join("\n");
}

/**
 * A line of text.
 *
 * @param {number} x @param {number} y @param {string} text
 * @param {{ fill?: string, size?: number, anchor?: "end" | "middle", weight?: number, mono?: boolean }} [style]
 */
export function label(x, y, text, { fill, size, anchor, weight, mono } = {}) {
  const attributes = [
    fill === undefined ? "" : ` fill="${fill}"`,
    size === undefined ? "" : ` font-size="${size}"`,
    anchor === undefined ? "" : ` text-anchor="${anchor}"`,
    weight === undefined ? "" : ` font-weight="${weight}"`,
    mono === true ? ` font-family="ui-monospace, SFMono-Regular, Menlo, monospace"` : "",
  ].join("");
  return `<text x="${round(x)}" y="${round(y)}"${attributes}>${escaped(text)}</text>`;
}

/**
 * A box.
 *
 * @param {number} x @param {number} y @param {number} width @param {number} height
 * @param {{ fill?: string, stroke?: string, radius?: number, dashed?: boolean }} style
 */
export function box(x, y, width, height, { fill = "none", stroke, radius = 2, dashed = false }) {
  const line = stroke === undefined ? "" : ` stroke="${stroke}"${dashed ? ' stroke-dasharray="4 3"' : ""}`;
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}" fill="${fill}"${line}/>`;
}

/** A straight line. @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} stroke */
export const stroke = (x1, y1, x2, y2, stroke) =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}"/>`;

/** A line through points. @param {readonly (readonly [x: number, y: number])[]} points @param {string} stroke */
export const polyline = (points, stroke) =>
  `<polyline points="${points.map(([x, y]) => `${round(x)},${round(y)}`).join(" ")}" fill="none" stroke="${stroke}" stroke-width="1.5" stroke-linejoin="round"/>`;

const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/** @typedef {{ name: string, value: number, shown: string }} Bar */

/**
 * Groups of bars, one below the other; the first bar of each group is ours.
 *
 * @param {{ title: string, note: readonly string[], groups: readonly { name: string, bars: readonly Bar[] }[], most: (group: readonly Bar[]) => number, palette: Palette }} chart
 */
export function bars({ title, note, groups, most, palette }) {
  const [left, right, bar, gap, top] = [250, 110, 16, 14, 48];
  const width = 820;
  const body = [label(0, 18, title, { size: 16, weight: 600 })];
  let y = top;
  for (const { name, bars: all } of groups) {
    const scale = (width - left - right) / most(all);
    body.push(label(0, y + 12, name, { weight: 600 }));
    for (const [index, { name: system, value, shown }] of all.entries()) {
      const fill = index === 0 ? palette.accent : (palette.others[0] ?? palette.line);
      body.push(label(left - 8, y + 12, system, { anchor: "end", fill: index === 0 ? palette.text : palette.muted }));
      body.push(box(left, y + 1, Math.max(1, value * scale), bar - 4, { fill }));
      body.push(label(left + value * scale + 6, y + 12, shown, { size: 12, fill: palette.muted }));
      y += bar;
    }
    y += gap;
  }
  for (const line of note) {
    body.push(label(0, y + 10, line, { size: 12, fill: palette.muted }));
    y += 17;
  }
  return picture({ width, height: y + 4, title, palette }, body);
}
