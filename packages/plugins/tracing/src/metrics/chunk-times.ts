import type { Attributes, MeterProvider } from "@opentelemetry/api";

/** Takes the times between the chunks of one answer, in seconds. */
export type ChunkTimes = (attributes: Attributes) => (seconds: number) => void;

const own = new WeakMap<MeterProvider, ChunkTimes>();

/**
 * Lets times of chunks that are meant for a provider go elsewhere: `setupTracing` adds them up itself, since the SDK
 * looks its attributes up anew for each, which costs more than all else that is done with a chunk.
 */
export const divertChunkTimes = (provider: MeterProvider, times: ChunkTimes): void => void own.set(provider, times);

export const divertedChunkTimes = (provider: MeterProvider): ChunkTimes | undefined => own.get(provider);
