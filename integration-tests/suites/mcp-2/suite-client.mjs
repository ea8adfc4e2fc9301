import { Client as Bare } from "bare:client";
import { guarded } from "./suite-plugins.mjs";

export * from "bare:client";
export const Client = await guarded(Bare);
