/** Changes provider events and answers in place. Shared by adapters between a provider and its client. */
export { AnswerEditor } from "./editor/answer-editor.js";
export { Edit, type KnownFields, unknownFields } from "./editor/edit.js";
export type { Draft, Place, PlaceKind } from "./editor/place.js";
export { type EventFormat, StreamEditor } from "./editor/stream-editor.js";
