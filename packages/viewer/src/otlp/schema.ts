/**
 * The messages of OTLP 1.x that are read, with their field numbers from `opentelemetry/proto`. Fields that are not read
 * are left out, and decoders skip them.
 */
const field = (id: number, type: string, rule?: "repeated") => ({ id, type, ...(rule !== undefined && { rule }) });

const anyValue = {
  oneofs: {
    value: {
      oneof: ["stringValue", "boolValue", "intValue", "doubleValue", "arrayValue", "kvlistValue", "bytesValue"],
    },
  },
  fields: {
    stringValue: field(1, "string"),
    boolValue: field(2, "bool"),
    intValue: field(3, "int64"),
    doubleValue: field(4, "double"),
    arrayValue: field(5, "ArrayValue"),
    kvlistValue: field(6, "KeyValueList"),
    bytesValue: field(7, "bytes"),
  },
};

/** The schema, as protobufjs reads it. */
export const schema = {
  nested: {
    AnyValue: anyValue,
    ArrayValue: { fields: { values: field(1, "AnyValue", "repeated") } },
    KeyValueList: { fields: { values: field(1, "KeyValue", "repeated") } },
    KeyValue: { fields: { key: field(1, "string"), value: field(2, "AnyValue") } },
    InstrumentationScope: { fields: { name: field(1, "string"), version: field(2, "string") } },
    Resource: { fields: { attributes: field(1, "KeyValue", "repeated") } },
    ExportTraceServiceRequest: { fields: { resourceSpans: field(1, "ResourceSpans", "repeated") } },
    ResourceSpans: { fields: { resource: field(1, "Resource"), scopeSpans: field(2, "ScopeSpans", "repeated") } },
    ScopeSpans: { fields: { scope: field(1, "InstrumentationScope"), spans: field(2, "Span", "repeated") } },
    Span: {
      fields: {
        traceId: field(1, "bytes"),
        spanId: field(2, "bytes"),
        parentSpanId: field(4, "bytes"),
        name: field(5, "string"),
        startTimeUnixNano: field(7, "fixed64"),
        endTimeUnixNano: field(8, "fixed64"),
        attributes: field(9, "KeyValue", "repeated"),
        events: field(11, "Event", "repeated"),
        links: field(13, "Link", "repeated"),
        status: field(15, "Status"),
      },
    },
    Event: {
      fields: {
        timeUnixNano: field(1, "fixed64"),
        name: field(2, "string"),
        attributes: field(3, "KeyValue", "repeated"),
      },
    },
    Link: {
      fields: { traceId: field(1, "bytes"), spanId: field(2, "bytes"), attributes: field(4, "KeyValue", "repeated") },
    },
    Status: { fields: { message: field(2, "string"), code: field(3, "int32") } },
    ExportLogsServiceRequest: { fields: { resourceLogs: field(1, "ResourceLogs", "repeated") } },
    ResourceLogs: { fields: { resource: field(1, "Resource"), scopeLogs: field(2, "ScopeLogs", "repeated") } },
    ScopeLogs: {
      fields: { scope: field(1, "InstrumentationScope"), logRecords: field(2, "LogRecord", "repeated") },
    },
    LogRecord: {
      fields: {
        timeUnixNano: field(1, "fixed64"),
        body: field(5, "AnyValue"),
        attributes: field(6, "KeyValue", "repeated"),
      },
    },
    ExportMetricsServiceRequest: { fields: { resourceMetrics: field(1, "ResourceMetrics", "repeated") } },
    ResourceMetrics: { fields: { resource: field(1, "Resource"), scopeMetrics: field(2, "ScopeMetrics", "repeated") } },
    ScopeMetrics: { fields: { scope: field(1, "InstrumentationScope"), metrics: field(2, "Metric", "repeated") } },
    Metric: { fields: { name: field(1, "string"), description: field(2, "string"), unit: field(3, "string") } },
  },
};
