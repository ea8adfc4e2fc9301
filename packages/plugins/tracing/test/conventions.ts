import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A metric of the conventions. */
interface ConventionMetric {
  readonly instrument: string;
  readonly unit: string;
  readonly value_type: string;
  readonly explicit_bucket_boundaries?: readonly number[];
  /** The name that replaced it. */
  readonly superseded_by?: string;
}

/** The part of the GenAI conventions that the tests need: facts, as `conventions.json` carries them. */
interface Conventions {
  readonly source: string;
  readonly release: string;
  readonly license: string;
  readonly schema_url: string;
  readonly attributes: readonly string[];
  readonly operations: readonly string[];
  readonly events: readonly string[];
  readonly metrics: Readonly<Record<string, ConventionMetric>>;
  /** The attributes that a sampler should see, by the type of the span. */
  readonly sampling: Readonly<Record<string, readonly string[]>>;
  /** Names that the release replaced, and what replaced them. */
  readonly superseded: Readonly<Record<string, string>>;
}

/** The conventions of the release, in this repository. */
export const conventions: Conventions = JSON.parse(readFileSync(join(import.meta.dirname, "conventions.json"), "utf8"));

const WHOLE = join(import.meta.dirname, "../../../../../shared/semconv/genai-semconv.json");

interface Whole {
  readonly $about: {
    readonly repository: string;
    readonly tagged_release: string;
    readonly license: string;
    readonly schema_url: string;
  };
  readonly attributes: Readonly<Record<string, { readonly members?: readonly string[] }>>;
  readonly metrics: Readonly<Record<string, ConventionMetric>>;
  readonly events: Readonly<Record<string, unknown>>;
  readonly spans: Readonly<
    Record<string, { readonly attributes: Readonly<Record<string, { readonly sampling_relevant?: boolean }>> }>
  >;
  readonly superseded: Readonly<
    Record<"attributes" | "metrics" | "events", Readonly<Record<string, { readonly now: string }>>>
  >;
}

/** Returns the same extract of the whole data. Returns `undefined` if that is not next to this repository. */
export function extractOfWhole(): Conventions | undefined {
  if (!existsSync(WHOLE)) return undefined;
  const { $about, attributes, metrics, events, spans, superseded }: Whole = JSON.parse(readFileSync(WHOLE, "utf8"));
  const now = (of: Readonly<Record<string, { readonly now: string }>>): readonly (readonly [string, string])[] =>
    Object.entries(of).map(([name, { now }]) => [name, now]);
  return {
    source: $about.repository,
    release: $about.tagged_release,
    license: $about.license,
    schema_url: $about.schema_url,
    attributes: Object.keys(attributes),
    operations: attributes["gen_ai.operation.name"]?.members ?? [],
    events: Object.keys(events),
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, metric]) => [name, metricOf(metric)])),
    sampling: Object.fromEntries(
      Object.entries(spans).map(([type, span]) => [
        type,
        Object.entries(span.attributes).flatMap(([name, { sampling_relevant }]) => (sampling_relevant ? [name] : [])),
      ]),
    ),
    superseded: Object.fromEntries([superseded.attributes, superseded.metrics, superseded.events].flatMap(now)),
  };
}

const metricOf = (metric: ConventionMetric): ConventionMetric => ({
  instrument: metric.instrument,
  unit: metric.unit,
  value_type: metric.value_type,
  ...(metric.explicit_bucket_boundaries && { explicit_bucket_boundaries: metric.explicit_bucket_boundaries }),
  ...(metric.superseded_by !== undefined && { superseded_by: metric.superseded_by }),
});
