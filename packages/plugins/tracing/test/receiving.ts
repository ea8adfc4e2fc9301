import { afterEach, beforeEach } from "@jest/globals";
import { setupTracing, type TracingSetup } from "../src/node.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { stopSdk } from "./support.js";
import { attributesOf, spansAt, type WireSpan } from "./wire.js";

/** Lets each test of a file have the suite's own set-up, with a receiver at its end. */
export function useReceiver() {
  let receiver: Receiver;
  let telemetry: TracingSetup;
  beforeEach(async () => {
    receiver = await startReceiver();
    telemetry = setupTracing({ endpoint: `http://127.0.0.1:${receiver.port}`, metrics: false });
  });
  afterEach(async () => {
    await telemetry.shutdown();
    await receiver.stop();
    stopSdk();
  });

  /** The spans of this name that have ended, as they came. */
  const sent = async (name: string): Promise<readonly WireSpan[]> => {
    await telemetry.flush();
    return spansAt(receiver).filter((span) => span.name === name);
  };
  return {
    sent,
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
