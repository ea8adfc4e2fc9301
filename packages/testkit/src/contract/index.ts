/** The contract tests. Nothing here needs Node, or a test runner. */
export { describeAdapter } from "./describe-adapter.js";
export { answering, Leg } from "./leg.js";
export { describeModel, modelScenarios } from "./model/describe-model.js";
export type { ModelScenario } from "./model/scenario.js";
export type { ModelCapability, ModelClient, ModelClientOptions, ModelSubject } from "./model/subject.js";
export type { PluginAct } from "./plugin/act.js";
export { type ActScenario, actScenarios } from "./plugin/acts.js";
export { describePlugin, pluginScenarios } from "./plugin/describe-plugin.js";
export type { PluginScenario } from "./plugin/scenario.js";
export type { PluginSubject } from "./plugin/subject.js";
export { type RecordedCall, type RecordedEvent, Recording, type Status } from "./recording.js";
export { redacting } from "./redacting.js";
export type { Runner } from "./runner.js";
export type { Scenario } from "./scenario.js";
export { scenarios } from "./scenarios/index.js";
export { describeStore, storeScenarios } from "./store/describe-store.js";
export type { StoreSubject } from "./store/scenario.js";
export type {
  Attempt,
  Capability,
  ContractDocument,
  ContractTool,
  Decision,
  EmbedAttempt,
  Observed,
  PendingCall,
  Report,
  SearchAttempt,
  SeenPiece,
  Subject,
} from "./subject.js";
export {
  describeVault,
  type VaultLike,
  type VaultScenario,
  type VaultSubject,
  type VaultToken,
  vaultScenarios,
} from "./vault/describe-vault.js";
