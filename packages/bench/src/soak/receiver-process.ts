/** The place to which the Collector sends spans on, in a process of its own: it keeps the ids of those that have come. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The spans that have come. */
export interface ReceiverTotals {
  /** The ids, each once. */
  readonly ids: readonly string[];
  /** The spans that came once more: a Collector was killed before it could say that it had passed them on. */
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
