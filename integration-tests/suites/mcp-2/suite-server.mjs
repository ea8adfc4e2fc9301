import { McpServer as BareMcpServer, Server as BareServer } from "bare:server";
import { guarded } from "./suite-plugins.mjs";

export * from "bare:server";
export const McpServer = await guarded(BareMcpServer);
export const Server = await guarded(BareServer);
