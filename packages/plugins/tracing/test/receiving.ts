import { afterEach, beforeEach } from "@jest/globals";
import { type SetupOptions, setupTracing, type TracingSetup } from "../src/node.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { stopSdk } from "./support.js";
import { attributesOf, spansAt, type WireSpan } from "./wire.js";

/** Lets each test of a file have the suite's own set-up, with a receiver at its end. */
export function useReceiver(options: SetupOptions = { metrics: false }) {
  let receiver: Receiver;
  let telemetry: TracingSetup;
  beforeEach(async () => {
    receiver = await startReceiver();
    telemetry = setupTracing({ endpoint: `http://127.0.0.1:${receiver.port}`, ...options });
  });
  afterEach(async () => {
    await telemetry.shutdown();
    await receiver.stop();
    stopSdk();
  });

  const flushed = async (): Promise<Receiver> => {
    await telemetry.flush();
    return receiver;
  };
  const spans = async (): Promise<readonly WireSpan[]> => spansAt(await flushed());
  const sent = async (name: string) => (await spans()).filter((span) => span.name === name);
  return {
    /** The spans that have ended, as they came. */
    spans,
    /** The metrics or log records of one name. */
    sent,
    /** The bodies that were sent for metrics, or for logs, joined. */
    bodiesOf: async (signal: "metrics" | "logs") => {
      const { bodies, paths } = await flushed();
      return bodies.filter((_, i) => paths[i] === `/v1/${signal}`).join();
    },
    stop: () => telemetry.shutdown(),
    /** The attributes of each span of this name. */
    attributes: async (name: string) => (await sent(name)).map(attributesOf),
    /** The one span of this name. */
    async only(name: string): Promise<WireSpan> {
      const [span, ...more] = await sent(name);
      if (span === undefined || more.length > 0) throw new Error(`not one span is named ${name}`);
      return span;
    },
  };
}
