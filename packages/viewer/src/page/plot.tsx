import type { VNode } from "preact";

/** One line, or one layer of the bars: a value for each time step, or undefined. */
interface PlotLayer {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
}

/** The properties of a plot. */
export interface PlotProps {
  readonly title: string;
  readonly kind: "lines" | "bars";
  readonly layers: readonly PlotLayer[];
  /** The place of each step, from 0 to 1, and the width of one step. */
  readonly places: readonly number[];
  readonly step: number;
  /** Formats a time and a value. */
  readonly times: readonly string[];
  readonly format: (value: number) => string;
  /** The text for a missing value. */
  readonly none?: string;
  readonly first: string;
  readonly last: string;
}

/** The width and height of a picture in its user units. The picture is stretched, but its lines are not. */
const [WIDTH, HEIGHT] = [1000, 100];

/** A plot over time. Its figures are also in the table of the page, for people who cannot see it. */
export function Plot({
  title,
  kind,
  layers,
  places,
  step,
  times,
  format,
  none = "None.",
  first,
  last,
}: PlotProps): VNode {
  const totals = places.map((_, at) => layers.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const highest = Math.max(
    ...(kind === "bars" ? totals : layers.flatMap(({ values }) => values.map((value) => value ?? 0))),
    0,
  );
  const most = roundUp(highest);
  const y = (value: number): number => HEIGHT - (value / (most || 1)) * HEIGHT;
  const empty = layers.every(({ values }) => values.every((value) => (value ?? 0) === 0));
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong>
        <span class="legend">
          {(layers.length === 1 ? [] : layers).map(({ name }, index) => (
            <span key={index} class={`key c${index}`}>
              {name}
            </span>
          ))}
        </span>
      </figcaption>
      {empty ? (
        <p class="quiet">{none}</p>
      ) : (
        <div class="drawing">
          <span class="quiet top">{format(most)}</span>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
            <path class="rule" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
            {kind === "bars"
              ? layers.map((_, index) => (
                  <path key={index} class={`bars c${index}`} d={barsOf(layers, index, places, step, y)} />
                ))
              : layers.map((layer, index) => (
                  <g key={index}>
                    <path class={`stroke c${index}`} d={lineOf(layer, places, step, y)} />
                    <path class={`stroke dots c${index}`} d={dotsOf(layer, places, step, y)} />
                  </g>
                ))}
            {places.map((place, at) => (
              <rect key={place} class="hit" x={place * WIDTH} width={step * WIDTH} height={HEIGHT}>
                <title>{`${times[at]}\n${layers.flatMap(({ name, values }) => (values[at] === undefined ? [] : [`${name}: ${format(values[at])}`])).join("\n")}`}</title>
              </rect>
            ))}
          </svg>
          <span class="scale quiet">
            <span>{first}</span>
            <span>{last}</span>
          </span>
        </div>
      )}
    </figure>
  );
}

/** Returns the points of a line: strokes of length zero with circular ends. */
function dotsOf({ values }: PlotLayer, places: readonly number[], step: number, y: (value: number) => number): string {
  return places
    .map((place, at) => {
      const value = values[at];
      return value === undefined ? "" : `M${((place + step / 2) * WIDTH).toFixed(2)} ${y(value).toFixed(2)}h0.01`;
    })
    .join("");
}

/** Returns the strokes of a line between adjacent steps. Steps without runs interrupt the line. */
function lineOf({ values }: PlotLayer, places: readonly number[], step: number, y: (value: number) => number): string {
  let path = "";
  for (const [at, place] of places.entries()) {
    const value = values[at];
    if (value === undefined) continue;
    const x = (place + step / 2) * WIDTH;
    const before = places[at - 1];
    const joins = before !== undefined && values[at - 1] !== undefined && place - before < step * 1.5;
    path += `${joins ? "L" : "M"}${x.toFixed(2)} ${y(value).toFixed(2)}`;
  }
  return path;
}

/** Returns the bars of one layer, stacked on the layers before it. */
function barsOf(
  layers: readonly PlotLayer[],
  index: number,
  places: readonly number[],
  step: number,
  y: (value: number) => number,
): string {
  let path = "";
  for (const [at, place] of places.entries()) {
    const value = layers[index]?.values[at] ?? 0;
    if (value === 0) continue;
    const below = layers.slice(0, index).reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
    const [x, width] = [(place + step * 0.1) * WIDTH, step * 0.8 * WIDTH];
    path += `M${x.toFixed(2)} ${y(below).toFixed(2)}h${width.toFixed(2)}V${y(below + value).toFixed(2)}h${(-width).toFixed(2)}Z`;
  }
  return path;
}

/** Rounds up to the next simple number, so that the highest value is near the top. */
function roundUp(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((digit) => digit * power >= value) ?? 10);
}
