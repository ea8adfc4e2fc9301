import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { StateStore } from "@suite/core";
import { type RedisStateStore, redisStateStore } from "@suite/store-redis";
import { describeStore, describeVault } from "@suite/testkit";
import { createClient, createClientPool, createCluster, createSentinel, RESP_TYPES } from "redis";
import { type Redis, startRedis, withRedis } from "../../redis.js";
import { describeResumed } from "./resumed.js";
import { vaultOn } from "./vaults.js";

withRedis("on a real Redis", () => {
  let server: Redis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  const ignore = () => {};
  const clientOf = (options: Parameters<typeof createClient>[0] = {}) => {
    const client = createClient({ url: server.url, ...options });
    client.on("error", ignore);
    return client;
  };
  /** A subject whose clients are made, and closed, one by one. */
  const subject = (open: () => Promise<{ store: StateStore; close(): unknown }>) => {
    const closes = new Map<StateStore, () => unknown>();
    return {
      async open() {
        const { store, close } = await open();
        closes.set(store, close);
        return store;
      },
      async close(store: StateStore) {
        await closes.get(store)?.();
      },
    };
  };

  describeStore(
    "redisStateStore with a client",
    subject(async () => {
      const client = await clientOf().connect();
      return { store: redisStateStore(client), close: () => client.close() };
    }),
    { describe, it },
  );

  describeVault(
    "storeVault on redisStateStore",
    vaultOn(
      subject(async () => {
        const store = redisStateStore({ url: server.url }, { prefix: "vault:" });
        return { store, close: () => store.close() };
      }),
    ),
    { describe, it },
  );

  describeStore(
    "redisStateStore with options, which makes its own client",
    subject(async () => {
      const store = redisStateStore({ url: server.url }, { prefix: "own:" });
      return { store, close: () => store.close() };
    }),
    { describe, it },
  );

  describeStore(
    "redisStateStore with a client of RESP 2 whose replies are mapped to buffers and texts",
    subject(async () => {
      const typeMapping = { [RESP_TYPES.BLOB_STRING]: Buffer, [RESP_TYPES.NUMBER]: String };
      const client = await clientOf({ RESP: 2, commandOptions: { typeMapping } }).connect();
      return { store: redisStateStore(client, { prefix: "mapped:" }), close: () => client.close() };
    }),
    { describe, it },
  );

  describeStore(
    "redisStateStore with a pool of clients",
    subject(async () => {
      const pool = createClientPool({ url: server.url });
      pool.on("error", ignore);
      await pool.connect();
      return { store: redisStateStore(pool, { prefix: "pool:" }), close: () => pool.close() };
    }),
    { describe, it },
  );

  describe("in a cluster", () => {
    let node: Redis;
    beforeAll(async () => {
      node = await startRedis("--cluster-enabled", "yes");
      const client = createClient({ url: node.url });
      client.on("error", ignore);
      await client.connect();
      await client.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
      while (!(await client.sendCommand<string>(["CLUSTER", "INFO"])).includes("cluster_state:ok"));
      await client.close();
    });
    afterAll(() => node.stop());

    describeStore(
      "redisStateStore with a client of a cluster",
      subject(async () => {
        const cluster = createCluster({ rootNodes: [{ url: node.url }] });
        cluster.on("error", ignore);
        await cluster.connect();
        return { store: redisStateStore(cluster), close: () => cluster.close() };
      }),
      { describe, it },
    );
  });

  describe("redisStateStore", () => {
    let store: RedisStateStore;
    let client: ReturnType<typeof clientOf>;
    beforeAll(async () => {
      client = clientOf();
      await client.connect();
      store = redisStateStore(client);
    });
    afterAll(() => client.close());

    /** The commands that the server is sent in the meantime, by one connection. */
    async function commandsOf(act: () => Promise<unknown>): Promise<string[]> {
      const watcher = await clientOf().connect();
      const seen: string[] = [];
      await watcher.monitor((line) => void seen.push(String(line)));
      await act();
      await client.ping("done");
      while (!seen.some((line) => line.includes('"done"'))) await new Promise((resolve) => setTimeout(resolve, 5));
      watcher.destroy();
      // What a script does is told as of `lua`.
      return seen
        .filter((line) => !line.includes(" lua]") && !line.includes("PING"))
        .map((line) => line.replace(/^.*?\] /, ""));
    }

    describeResumed(() => redisStateStore(client));

    it("sends one command for each operation", async () => {
      await client.scriptFlush();
      await Promise.all([store.add("warm", 1), store.claim("warm2"), store.compareAndSet("warm3", undefined, 1)]);
      const version = (await store.get("warm3"))?.version;
      const acts: (() => Promise<unknown>)[] = [
        async () => store.get("warm3"),
        async () => store.compareAndSet("warm3", version, 2, { ttl: 1000 }),
        async () => store.add("one", 1, { ttl: 1000, maximum: 5 }),
        async () => store.claim("two", { ttl: 1000 }),
        async () => store.delete("two"),
      ];
      for (const act of acts) expect(await commandsOf(act)).toHaveLength(1);
    });

    it("goes on after a server has forgotten its scripts, and counts once", async () => {
      expect(await store.add("forgotten", 1)).toEqual({ added: true, total: 1 });
      await client.scriptFlush();
      expect(await store.add("forgotten", 1)).toEqual({ added: true, total: 2 });
    });

    it("keeps keys apart by prefix, and leaves counters that people can read", async () => {
      await redisStateStore(client, { prefix: "a:" }).add("k", 1);
      await redisStateStore(client, { prefix: "b:" }).add("k", 2);
      expect([await client.get("a:k"), await client.get("b:k")]).toEqual(["1", "2"]);
    });

    it("leaves no expired entry, and none without an expiry that was set", async () => {
      await store.add("ends", 1, { ttl: 60_000 });
      await store.add("ends", 1);
      await store.claim("ends2", { ttl: 60_000 });
      await store.compareAndSet("ends3", undefined, 1, { ttl: 60_000 });
      for (const key of ["ends", "ends2", "ends3"]) {
        const left = await client.pTTL(`suite:${key}`);
        expect(left).toBeGreaterThan(50_000);
        expect(left).toBeLessThanOrEqual(60_000);
      }
    });

    it("rejects with the server's own error, and changes nothing: of another program's key, of a full memory", async () => {
      await client.hSet("suite:hash", "a", "b");
      await expect(store.get("hash")).rejects.toThrow("WRONGTYPE");
      await expect(store.add("hash", 1)).rejects.toThrow("WRONGTYPE");
      await client.configSet({ maxmemory: "1", "maxmemory-policy": "noeviction" });
      try {
        await expect(store.add("full", 1)).rejects.toThrow("OOM");
      } finally {
        await client.configSet("maxmemory", "0");
      }
      expect(await store.add("full", 0)).toEqual({ added: true, total: 0 });
    });

    it("rejects where the server is there and does not answer, and does not send it again", async () => {
      const impatient = redisStateStore(client, { timeout: 200 });
      await impatient.add("hung", 1);
      server.pause();
      try {
        await expect(impatient.add("hung", 1)).rejects.toMatchObject({ code: "ERR_STORE_REDIS_TIMEOUT" });
      } finally {
        server.resume();
      }
      expect((await store.add("hung", 0)).total).toBe(2);
    });

    it("rejects where the connection is lost, waits for it within its time, and does nothing later that it has rejected", async () => {
      const impatient = redisStateStore(client, { timeout: 300 });
      await impatient.add("lost", 1);
      const underWay = Promise.resolve(impatient.add("lost", 1)).catch(ignore);
      await server.kill();
      await underWay;
      await expect(impatient.add("lost", 10)).rejects.toThrow();
      await expect(impatient.claim("lost2")).rejects.toThrow();
      const waits = redisStateStore(client, { timeout: 20_000 }).add("lost", 100);
      await server.restart();
      const { total } = await waits;
      // The one that was under way was done or not; the one that was rejected in the queue was not.
      expect([101, 102]).toContain(total);
      expect(await store.claim("lost2")).toBe(true);
    });

    it("rejects in its time where a pool of clients is exhausted, and does nothing later", async () => {
      const pool = createClientPool({ url: server.url }, { minimum: 1, maximum: 1, acquireTimeout: 60_000 });
      pool.on("error", ignore);
      await pool.connect();
      const taken = pool.execute((one) => one.blPop("suite-test:nothing", 1));
      const impatient = redisStateStore(pool, { timeout: 100 });
      await expect(impatient.claim("exhausted")).rejects.toMatchObject({ code: "ERR_STORE_REDIS_TIMEOUT" });
      await taken;
      await pool.ping(); // after all that the pool still had to do
      expect(await store.claim("exhausted")).toBe(true);
      await pool.close();
    });

    it("goes by the server's clock", async () => {
      const real = Date.now;
      await store.claim("clock", { ttl: 60_000 });
      try {
        Date.now = () => real() + 365 * 24 * 60 * 60 * 1000;
        expect(await store.claim("clock", { ttl: 60_000 })).toBe(false);
      } finally {
        Date.now = real;
      }
      expect(await client.pTTL("suite:clock")).toBeLessThanOrEqual(60_000);
    });

    it("rejects at once where the client was closed, or is to have no queue", async () => {
      const closed = await clientOf().connect();
      await closed.close();
      await expect(redisStateStore(closed).get("k")).rejects.toThrow("closed");
      const offline = clientOf({ disableOfflineQueue: true, url: "redis://127.0.0.1:1" });
      void offline.connect().catch(ignore);
      await expect(redisStateStore(offline).get("k")).rejects.toThrow("offline");
      offline.destroy();
    });

    it("rejects in its time where its own client finds no server, and can be closed", async () => {
      const nowhere = redisStateStore({ url: "redis://127.0.0.1:1" }, { timeout: 200 });
      await expect(nowhere.claim("k")).rejects.toThrow();
      await nowhere.close();
      await nowhere.close();
      await expect(nowhere.claim("k")).rejects.toThrow("closed");
    });
  });
});

describe("redisStateStore refuses", () => {
  const client = createClient();
  it.each([
    ["a ttl of a timeout that is none", () => redisStateStore(client, { timeout: 0 })],
    ["a timeout that is no number", () => redisStateStore(client, { timeout: Number.NaN })],
    ["a prefix that is no text", () => redisStateStore(client, { prefix: 1 as never })],
    ["a name that is no option", () => redisStateStore(client, { perfix: "x" } as never)],
    ["no client", () => redisStateStore(undefined as never)],
    [
      "a client of a sentinel, which would send an amount again whose reply was lost",
      () => redisStateStore(createSentinel({ name: "m", sentinelRootNodes: [{ host: "127.0.0.1", port: 1 }] })),
    ],
  ])("%s", (_, make) => {
    expect(make).toThrow(expect.objectContaining({ code: "ERR_STORE_REDIS_OPTION" }));
  });
});
