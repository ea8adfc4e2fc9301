import type { Scenario } from "../scenario.js";
import { abort } from "./abort.js";
import { answers } from "./answers.js";
import { approvals } from "./approval.js";
import { asks } from "./asks.js";
import { callNexts } from "./call-next.js";
import { embeddings } from "./embeddings.js";
import { errors } from "./errors.js";
import { external } from "./external.js";
import { functions } from "./functions.js";
import { ids } from "./ids.js";
import { memory } from "./memory.js";
import { parts } from "./parts.js";
import { redaction } from "./redaction.js";
import { retrieval } from "./retrieval.js";
import { subAgents } from "./sub-agents.js";
import { toolLayers } from "./tool-layers.js";
import { tools } from "./tools.js";
import { transforms } from "./transforms.js";
import { writings } from "./writings.js";

/** The promises of every adapter. */
export const scenarios: readonly Scenario[] = [
  ...answers,
  ...callNexts,
  ...functions,
  ...transforms,
  ...ids,
  ...writings,
  ...parts,
  ...tools,
  ...toolLayers,
  ...errors,
  ...abort,
  ...approvals,
  ...external,
  ...subAgents,
  ...asks,
  ...redaction,
  ...embeddings,
  ...retrieval,
  ...memory,
];
