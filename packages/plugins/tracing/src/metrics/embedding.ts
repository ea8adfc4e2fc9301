import { put } from "../attributes/redact.js";
import { ATTR } from "../attributes/semconv.js";
import type { Wording } from "../dialect.js";
import { embeddingIdentity } from "../spans/embedding.js";
import { attributesOf, type Measure, type Recording } from "./measured.js";
import { operationRecording } from "./operation.js";

/**
 * Records the duration and tokens of one request for embeddings. A request that a layer answered instead of the
 * provider is not measured.
 */
export const embeddingRecording = ({
  previous,
}: Pick<Wording, "previous">): ((measure: Measure<"embedding">) => Recording<"embedding">) =>
  previous ? operationRecording<"embedding">(embeddingIdentity) : recording;

const recording = ({ invocation }: Measure<"embedding">): Recording<"embedding"> => ({
  answered: () => invocation.reached !== undefined,
  record({ instruments, redactor }, { seconds, settlement, error }) {
    if (settlement.status === "suspended") return;
    const attributes = embeddingIdentity(invocation.reached ?? invocation.request);
    const final = settlement.status === "completed" ? settlement.final : undefined;
    put(attributes, ATTR.responseModel, final?.response?.model);
    const common = attributesOf(attributes, undefined, redactor);
    const tokens = final?.usage?.inputTokens;
    if (Number.isSafeInteger(tokens)) instruments.embeddingsInputTokens.record(tokens as number, common);
    instruments.embeddingsDuration.record(
      seconds,
      error === undefined ? common : attributesOf({ ...common }, error, redactor),
    );
  },
});
