import { memoryStateStore } from "@suite/kit/store";
import { rateLimit } from "@suite/limits";
import { redisStateStore } from "@suite/store-redis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { callThrough, emptyLayer } from "./call-through.js";
import { atMost, defineGroup } from "./group.js";
import { startRedis } from "./redis-server.js";

/** A rate that is never reached: only counting is measured. */
const most = Number.MAX_SAFE_INTEGER;
const window = 60_000;

export const limitsRate = defineGroup({
  name: "limits/rate",
  about:
    "A model call that is answered at once: through a layer that only goes on, and through `rateLimit`, which waits in its queue where it " +
    "has to; and one count alone, of `rate-limiter-flexible` and of the store, all in memory. No rate is ever reached.",
  unit: "call",
  open() {
    const flexible = new RateLimiterMemory({ points: most, duration: window / 1000 });
    const store = memoryStateStore();
    return {
      cases: {
        "empty layer": callThrough(emptyLayer),
        rateLimit: callThrough(rateLimit({ calls: most, window })),
        "rateLimit, refusing": callThrough(rateLimit({ calls: most, window, whenExceeded: "refuse" })),
        "rate-limiter-flexible": () => flexible.consume("key"),
        store: async () => store.add("key", 1, { ttl: window, maximum: most }),
      },
    };
  },
  figures: [
    { name: "rateLimit / empty layer", ratio: (time) => time.rateLimit / time["empty layer"], aim: atMost(2) },
    {
      name: "rateLimit that refuses / empty layer",
      ratio: (time) => time["rateLimit, refusing"] / time["empty layer"],
      aim: atMost(2),
    },
    {
      name: "what rateLimit adds / rate-limiter-flexible alone",
      ratio: (time) => (time.rateLimit - time["empty layer"]) / time["rate-limiter-flexible"],
    },
    {
      name: "the store alone / rate-limiter-flexible alone",
      ratio: (time) => time.store / time["rate-limiter-flexible"],
    },
  ],
});

export const limitsRateRedis = defineGroup({
  name: "limits/rate-redis",
  about:
    "The same on a Redis of this machine, by a socket: each count is one round trip, of `rate-limiter-flexible` as of `redisStateStore`. 40 rounds.",
  unit: "call",
  rounds: 40,
  async open() {
    const { client, close } = await startRedis();
    const flexible = new RateLimiterRedis({
      storeClient: client,
      useRedisPackage: true,
      points: most,
      duration: window / 1000,
    });
    const store = redisStateStore(client);
    return {
      cases: {
        "empty layer": callThrough(emptyLayer),
        rateLimit: callThrough(rateLimit({ calls: most, window, store })),
        "rate-limiter-flexible": () => flexible.consume("key"),
        store: async () => store.add("key", 1, { ttl: window, maximum: most }),
      },
      close,
    };
  },
  figures: [
    {
      name: "what rateLimit adds / rate-limiter-flexible alone",
      ratio: (time) => (time.rateLimit - time["empty layer"]) / time["rate-limiter-flexible"],
      aim: atMost(1.5),
    },
    {
      name: "the store alone / rate-limiter-flexible alone",
      ratio: (time) => time.store / time["rate-limiter-flexible"],
      aim: atMost(1.2),
    },
  ],
});
