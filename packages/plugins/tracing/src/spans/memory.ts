import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { MemoryRecord, MemoryRequest } from "@suite/core/contract";
import { isRecord } from "@suite/kit";
import { providerName, serverAttributes, suiteRunAttributes } from "../attributes/common.js";
import { put } from "../attributes/redact.js";
import { ATTR } from "../attributes/semconv.js";
import type { ContentWriter } from "../content/writer.js";
import type { SpanShape } from "./shape.js";

/** `search_memory`, `upsert_memory`, …: one operation on a memory. */
export const memorySpan: SpanShape<"memory"> = {
  spanKind: SpanKind.CLIENT,
  identity({ request, runtime }) {
    const attributes: Attributes = { ...memoryIdentity(request), ...suiteRunAttributes(runtime) };
    put(attributes, ATTR.memoryStoreId, request.store);
    return attributes;
  },
  name: (identity) => String(identity[ATTR.operationName]),
  request({ request: { ids, records } }) {
    const attributes: Attributes = {};
    put(attributes, ATTR.memoryRecordId, onlyOne(ids) ?? onlyOne(records)?.id);
    return attributes;
  },
  requestContent({ request: { query, records } }, writer) {
    return {
      ...(query !== undefined && { [ATTR.memoryQueryText]: writer.text(query) }),
      ...(records && { [ATTR.memoryRecords]: written(records, writer) }),
    };
  },
  reply({ records: found, count = found?.length }, { request: { records } }) {
    const number = count ?? records?.length;
    return Number.isSafeInteger(number) && Number(number) >= 0 ? { [ATTR.memoryRecordCount]: Number(number) } : {};
  },
  replyContent: ({ records }, writer): Attributes =>
    records === undefined ? {} : { [ATTR.memoryRecords]: written(records, writer) },
};

/** Returns the attributes of an operation on a memory, for spans and metrics. */
export function memoryIdentity({ operation, provider, server }: MemoryRequest): Attributes {
  const attributes: Attributes = { [ATTR.operationName]: operation };
  put(attributes, ATTR.providerName, provider && providerName(provider));
  return serverAttributes(server, attributes);
}

const onlyOne = <T>(items: readonly T[] | undefined): T | undefined => (items?.length === 1 ? items[0] : undefined);

/**
 * Writes records by their JSON schema, which accepts only strings as ids, numbers as scores and objects as metadata.
 */
const written = (records: readonly MemoryRecord[], writer: ContentWriter): string =>
  writer.list(
    records.map(({ id, content, score, metadata }) => ({
      ...(typeof id === "string" && { id }),
      content: content ?? null,
      ...(typeof score === "number" && Number.isFinite(score) && { score }),
      ...(isRecord(metadata) && { metadata }),
    })),
  );
