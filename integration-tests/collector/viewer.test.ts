import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startViewer, type Viewer } from "@suite/viewer";
import { type Answer, answerTo } from "./answer.js";
import { type Collector, startCollector, withCollector } from "./collector.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { badRequests, differingRequests, goodRequests, type OtlpRequest } from "./requests.js";

withCollector("the viewer beside the Collector, by the same requests", () => {
  let viewer: Viewer;
  let collector: Collector;
  let receiver: Receiver;
  beforeAll(async () => {
    viewer = await startViewer({ port: 0, otlpPort: 0 });
    receiver = await startReceiver();
    collector = await startCollector(receiver.url);
  });
  afterAll(async () => {
    await viewer.close();
    await collector.stop();
    await receiver.close();
  });

  const both = async (request: OtlpRequest): Promise<{ readonly viewer: Answer; readonly collector: Answer }> => ({
    viewer: await answerTo(viewer.endpoint, request),
    collector: await answerTo(collector.url, request),
  });

  it.each(goodRequests.map((each) => [each.name, each] as const))(
    "%s: both take it, and answer in its encoding",
    async (_, request) => {
      const answers = await both(request);
      expect(answers.viewer).toMatchObject({ taken: true, status: 200 });
      expect(answers.viewer).toEqual(answers.collector);
    },
  );

  it.each(badRequests.map((each) => [each.name, each] as const))("%s: both refuse it", async (_, request) => {
    const answers = await both(request);
    expect([answers.viewer.taken, answers.collector.taken]).toEqual([false, false]);
    // The fault is the sender's, or the answer counts what was rejected: nothing that trying again would mend.
    expect([200, 400, 404, 405, 413, 415]).toContain(answers.viewer.status);
  });

  it.each(differingRequests.map((each) => [each.name, each.takes, each.because, each] as const))(
    "%s: the %s alone takes it, because %s",
    async (_, takes, __, request) => {
      const answers = await both(request);
      expect([answers.viewer.taken, answers.collector.taken]).toEqual([takes === "viewer", takes === "collector"]);
    },
  );

  it("both go on after all of that", async () => {
    for (const request of goodRequests.slice(0, 3)) {
      const answers = await both(request);
      expect([answers.viewer.taken, answers.collector.taken]).toEqual([true, true]);
    }
  });
});
