import type { Attributes, MeterProvider } from "@opentelemetry/api";

/** Returns a recorder for the times between the chunks of one answer, in seconds. */
export type ChunkTimes = (attributes: Attributes) => (seconds: number) => void;

const diverted = new WeakMap<MeterProvider, ChunkTimes>();

/**
 * Redirects the chunk times for a provider. `setupTracing` adds them up itself, since the SDK looks up the attributes
 * for each value, which costs more than all other work for a chunk.
 */
export const divertChunkTimes = (provider: MeterProvider, times: ChunkTimes): void =>
  void diverted.set(provider, times);

export const divertedChunkTimes = (provider: MeterProvider): ChunkTimes | undefined => diverted.get(provider);
