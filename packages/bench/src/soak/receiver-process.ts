/** The receiver of the Collector's spans, in a separate process: it keeps the ids of the spans that arrived. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The spans that have come. */
export interface ReceiverTotals {
  /** The ids, each once. */
  readonly ids: readonly string[];
  /**
   * The spans that arrived again: a Collector was killed after it had passed them on, and before it could acknowledge
   * them.
   */
  readonly repeated: number;
}

interface Traces {
  readonly resourceSpans?: readonly {
    readonly scopeSpans?: readonly {
      readonly spans?: readonly { readonly traceId: string; readonly spanId: string }[];
    }[];
  }[];
}

const ids = new Set<string>();
let repeated = 0;

const server = createServer(async (request, response) => {
  const body = JSON.parse(await text(request)) as Traces;
  for (const { scopeSpans = [] } of body.resourceSpans ?? []) {
    for (const { traceId, spanId } of scopeSpans.flatMap(({ spans = [] }) => spans)) {
      const id = `${traceId}/${spanId}`;
      if (ids.has(id)) repeated++;
      ids.add(id);
    }
  }
  response.setHeader("content-type", "application/json").end("{}");
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on("message", () => process.send?.({ ids: [...ids], repeated } satisfies ReceiverTotals));
process.on("disconnect", () => process.exit());
