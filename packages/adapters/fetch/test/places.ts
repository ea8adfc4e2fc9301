/** A JSON object of a stream. */
export type Json = Record<string, unknown>;

/** Makes the events of one place from its pieces. @param index the number of the place in the answer. */
type Place = (pieces: readonly string[], index: number) => readonly Json[];

/** A string of an event. Strings with the same place are joined by the client. A copy repeats the joined string. */
interface Slot {
  readonly place: string;
  readonly target: Json;
  readonly key: string;
  readonly copy: boolean;
}

/** A stream format: the places that its events can contain, the complete stream, and the strings of an event. */
export interface Format {
  readonly url: string;
  readonly places: Readonly<Record<string, Place>>;
  /** The places whose events can alternate. The events of other places come before them, one place after the other. */
  readonly alternating: readonly string[];
  /** Adds the first and last events. */
  stream(events: readonly Json[]): readonly Json[];
  slots(event: Json): readonly Slot[];
}

const objects = (value: unknown): readonly Json[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === "object" && item !== null);

/** The slots of those fields that contain strings. */
const slotsIn = (targets: unknown, keys: readonly string[], place: string, copy = false): readonly Slot[] =>
  objects(targets).flatMap((target) =>
    keys.filter((key) => typeof target[key] === "string").map((key) => ({ place, target, key, copy })),
  );

const host = "https://model.example/v1";
const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
const chunk = (more: Json, finish_reason: string | null = null): Json => ({
  ...head,
  choices: [{ index: 0, ...more, logprobs: null, finish_reason }],
});
const delta = (make: (piece: string, isFirst: boolean, index: number) => Json): Place => {
  return (pieces, index) => pieces.map((piece, number) => chunk({ delta: make(piece, number === 0, index) }));
};

const chat: Format = {
  url: `${host}/chat/completions`,
  alternating: ["content", "refusal", "tool_calls arguments", "custom input"],
  places: {
    content: delta((content) => ({ content })),
    "content list": delta((text) => ({ content: [{ type: "text", text }] })),
    "thinking in a content list": delta((text) => ({
      content: [{ type: "thinking", thinking: [{ type: "text", text }] }],
    })),
    reasoning: delta((reasoning) => ({ reasoning })),
    reasoning_content: delta((reasoning_content) => ({ reasoning_content })),
    reasoning_details: delta((text) => ({ reasoning_details: [{ type: "reasoning.text", text }] })),
    refusal: delta((refusal) => ({ refusal })),
    "audio.transcript": delta((transcript) => ({ audio: { transcript } })),
    "function_call.arguments": delta((args, isFirst) => ({
      function_call: { ...(isFirst && { name: "look" }), arguments: args },
    })),
    "tool_calls arguments": delta((args, isFirst, index) => ({
      tool_calls: [
        {
          index,
          ...(isFirst && { id: `call_${index}`, type: "function" }),
          function: { ...(isFirst && { name: "look" }), arguments: args },
        },
      ],
    })),
    "custom input": delta((input, isFirst, index) => ({
      tool_calls: [
        {
          index,
          ...(isFirst && { id: `call_${index}`, type: "custom" }),
          custom: { ...(isFirst && { name: "look" }), input },
        },
      ],
    })),
  },
  stream: (events) => [
    chunk({ delta: { role: "assistant", content: "" } }),
    ...events,
    chunk({ delta: {} }, "stop"),
    { ...head, choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
  ],
  slots: ({ choices }) =>
    objects(choices).flatMap(({ delta }) =>
      objects(delta).flatMap((said) => [
        ...["content", "reasoning", "reasoning_content", "refusal"].flatMap((key) => slotsIn(said, [key], key)),
        ...slotsIn(Array.isArray(said.content) ? said.content : [], ["text"], "content"),
        ...objects(Array.isArray(said.content) ? said.content : []).flatMap(({ thinking }) =>
          slotsIn(thinking, ["text"], "thinking"),
        ),
        ...slotsIn(said.reasoning_details, ["text"], "reasoning_details"),
        ...slotsIn(said.audio, ["transcript"], "audio"),
        ...slotsIn(said.function_call, ["arguments"], "function_call"),
        ...objects(said.tool_calls).flatMap((call) => [
          ...slotsIn(call.function, ["arguments"], `call ${call.index}`),
          ...slotsIn(call.custom, ["input"], `call ${call.index}`),
        ]),
      ]),
    ),
};

const completions: Format = {
  url: `${host}/completions`,
  alternating: [],
  places: { text: (pieces) => pieces.map((text) => chunk({ text })) },
  stream: (events) => [...events, chunk({ text: "" }, "stop")],
  slots: ({ choices }) => slotsIn(choices, ["text"], "text"),
};

/** A block whose pieces come in deltas of this type. */
const block =
  (content_block: Json, type: string, field: string, ...last: readonly Json[]): Place =>
  (pieces, index) => [
    { type: "content_block_start", index, content_block: structuredClone(content_block) },
    ...pieces.map((piece) => ({ type: "content_block_delta", index, delta: { type, [field]: piece } })),
    ...last.map((delta) => ({ type: "content_block_delta", index, delta: { ...delta } })),
    { type: "content_block_stop", index },
  ];

const messages: Format = {
  url: `${host}/messages`,
  alternating: [],
  places: {
    text: block({ type: "text", text: "" }, "text_delta", "text"),
    thinking: block({ type: "thinking", thinking: "", signature: "" }, "thinking_delta", "thinking"),
    "signed thinking": block(
      { type: "thinking", thinking: "", signature: "" },
      ...(["thinking_delta", "thinking"] as const),
      { type: "signature_delta", signature: "signed" },
    ),
    input_json: block({ type: "tool_use", id: "toolu_1", name: "look", input: {} }, "input_json_delta", "partial_json"),
    compaction_delta: block({ type: "compaction", content: "" }, "compaction_delta", "content"),
  },
  stream: (events) => [
    {
      type: "message_start",
      message: { id: "m", type: "message", role: "assistant", model: "m", content: [], usage: {} },
    },
    { type: "ping" },
    ...events,
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ],
  slots: ({ type, index, delta }) =>
    type === "content_block_delta"
      ? slotsIn(delta, ["text", "thinking", "partial_json", "content"], `block ${index}`)
      : [],
};

const part = (make: (piece: string) => Json): Place => {
  return (pieces) =>
    pieces.map((piece) => ({ candidates: [{ content: { role: "model", parts: [make(piece)] } }], modelVersion: "m" }));
};
const kindOf = ({ thought, executableCode, codeExecutionResult }: Json): string =>
  executableCode ? "code" : codeExecutionResult ? "result" : thought === true ? "thought" : "text";

const gemini: Format = {
  url: "https://model.example/v1beta/models/gemini-3:streamGenerateContent?alt=sse",
  alternating: [],
  places: {
    text: part((text) => ({ text })),
    thought: part((text) => ({ text, thought: true })),
    executableCode: part((code) => ({ executableCode: { language: "PYTHON", code } })),
    codeExecutionResult: part((output) => ({ codeExecutionResult: { outcome: "OUTCOME_OK", output } })),
  },
  stream: (events) => [
    ...events,
    {
      candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP" }],
      usageMetadata: {},
      modelVersion: "m",
    },
  ],
  slots: ({ candidates }) =>
    objects(candidates)
      .flatMap(({ content }) => objects(content))
      .flatMap(({ parts }) => objects(parts))
      .flatMap((each) => [
        ...slotsIn(each, ["text"], kindOf(each)),
        ...slotsIn(each.executableCode, ["code"], "code"),
        ...slotsIn(each.codeExecutionResult, ["output"], "result"),
      ]),
};

/** An item of a response, with its content part if it has one. */
function item(
  base: string,
  field: string,
  make: (text: string, status: string) => Json,
  position: Json,
  partType?: string,
): Place {
  const isSummary = partType === "summary_text";
  const partEvent = isSummary ? "response.reasoning_summary_part" : "response.content_part";
  return (pieces, output_index) => {
    const whole = pieces.join("");
    const at = { item_id: `i${output_index}`, output_index, ...position };
    const withId = (text: string, status: string): Json => ({ id: at.item_id, ...make(text, status) });
    const partOf = (text: string): Json => ({ type: partType, [field]: text });
    return [
      { type: "response.output_item.added", output_index, item: withId("", "in_progress") },
      ...(partType ? [{ type: `${partEvent}.added`, ...at, part: partOf("") }] : []),
      ...pieces.map((delta) => ({ type: `${base}.delta`, ...at, delta, obfuscation: "x7" })),
      { type: `${base}.done`, ...at, [field]: whole },
      ...(partType ? [{ type: `${partEvent}.done`, ...at, part: partOf(whole) }] : []),
      { type: "response.output_item.done", output_index, item: withId(whole, "completed") },
    ];
  };
}

/** A list with this part, or without any before its text begins. */
const listOf = (type: string, field: string, text: string): readonly Json[] =>
  text === "" ? [] : [{ type, [field]: text }];
const message =
  (type: string, field: string) =>
  (text: string, status: string): Json => ({
    ...{ type: "message", role: "assistant", status },
    content: listOf(type, field, text),
  });
const content = { content_index: 0 };

const responses: Format = {
  url: `${host}/responses`,
  alternating: ["output_text", "reasoning_text", "function_call_arguments", "custom_tool_call_input"],
  places: {
    output_text: item("response.output_text", "text", message("output_text", "text"), content, "output_text"),
    refusal: item("response.refusal", "refusal", message("refusal", "refusal"), content, "refusal"),
    reasoning_text: item(
      ...(["response.reasoning_text", "text"] as const),
      (text) => ({ type: "reasoning", summary: [], content: listOf("reasoning_text", "text", text) }),
      ...([content, "reasoning_text"] as const),
    ),
    reasoning_summary_text: item(
      ...(["response.reasoning_summary_text", "text"] as const),
      (text) => ({ type: "reasoning", summary: listOf("summary_text", "text", text) }),
      ...([{ summary_index: 0 }, "summary_text"] as const),
    ),
    function_call_arguments: item(
      ...(["response.function_call_arguments", "arguments"] as const),
      (text, status) => ({ type: "function_call", call_id: "call", name: "look", arguments: text, status }),
      {},
    ),
    custom_tool_call_input: item(
      ...(["response.custom_tool_call_input", "input"] as const),
      (text, status) => ({ type: "custom_tool_call", call_id: "call", name: "look", input: text, status }),
      {},
    ),
    mcp_call_arguments: item(
      ...(["response.mcp_call_arguments", "arguments"] as const),
      (text, status) => ({ type: "mcp_call", server_label: "s", name: "look", arguments: text, status }),
      {},
    ),
    code_interpreter_call_code: item(
      ...(["response.code_interpreter_call_code", "code"] as const),
      (text, status) => ({ type: "code_interpreter_call", container_id: "k", code: text, status }),
      {},
    ),
  },
  stream(events) {
    const output = events.filter(({ type }) => type === "response.output_item.done");
    const items = output.toSorted((a, b) => Number(a.output_index) - Number(b.output_index)).map(({ item }) => item);
    const response = { id: "r", object: "response", model: "m" };
    return [
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      { type: "response.in_progress", response: { ...response, status: "in_progress", output: [] } },
      ...events,
      { type: "response.completed", response: { ...response, status: "completed", output: structuredClone(items) } },
    ].map((event, sequence_number) => ({ ...event, sequence_number }));
  },
  slots(event) {
    const { type, output_index, item, part, response } = event;
    const place = `item ${output_index}`;
    if (`${type}`.endsWith(".delta")) return slotsIn(event, ["delta"], place);
    if (!`${type}`.endsWith(".done")) {
      if (type !== "response.completed") return [];
      return objects(objects(response)[0]?.output).flatMap((each, index) => itemSlots(each, `item ${index}`));
    }
    return [
      ...slotsIn(event, wholes, place, true),
      ...slotsIn(part, wholes, place, true),
      ...objects(item).flatMap((each) => itemSlots(each, place)),
    ];
  },
};
const wholes = ["text", "refusal", "arguments", "input", "code"];
const itemSlots = (item: Json, place: string): readonly Slot[] => [
  ...slotsIn(item, wholes, place, true),
  ...[item.content, item.summary].flatMap((list) => slotsIn(list, wholes, place, true)),
];

/** The stream formats, with every place in which a provider sends text. */
export const formats: Readonly<Record<string, Format>> = { chat, completions, messages, gemini, responses };
