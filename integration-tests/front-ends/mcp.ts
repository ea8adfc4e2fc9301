import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import type { Approvals, Question } from "@suite/approval";
import type { Asked, Desk, World } from "./world.js";

interface Program {
  readonly server: McpServer;
}
interface Form {
  readonly request: { readonly enum: readonly [string] };
}

/** A client of MCP's SDK, whose person fills in forms. */
export async function mcp(world: World): Promise<Asked> {
  const { server } = await world.load<Program>("mcp");
  const { desk } = await world.load<Desk>("desk");
  const client = new Client({ name: "desk", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
  const forms: { question: Question; fill(result: ElicitResult): void }[] = [];
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const { requestedSchema } = params as unknown as { readonly requestedSchema: { readonly properties: Form } };
    const question = await shown(desk, requestedSchema.properties.request.enum[0]);
    return new Promise<ElicitResult>((fill) => forms.push({ question, fill }));
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  world.onClose(() => Promise.all([client.close(), server.close()]));
  /** Calls the tool of the server, and waits for its form. */
  const ask = async () => {
    const result = client.callTool({ name: "support", arguments: { request: "Refund it." } });
    for (;;) {
      const form = forms.shift();
      if (form !== undefined) return { ...form, result };
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  let open: Awaited<ReturnType<typeof ask>> | undefined = await ask();
  return {
    question: open.question,
    async answer(answer) {
      // A form is answered once. An answer that comes again comes in the form of another call.
      const { fill, result } = open ?? (await ask());
      open = undefined;
      const { id: request, ...fields } = answer as Record<string, unknown>;
      const texts = Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ]);
      fill({ action: "accept", content: { request, ...Object.fromEntries(texts) } });
      const { content } = (await result) as { readonly content: readonly { readonly text: string }[] };
      return content[0]?.text === "Done." ? "accepted" : (content[0]?.text ?? "nothing");
    },
  };
}

async function shown(desk: Approvals, id: string): Promise<Question> {
  const request = await desk.get(id);
  if (request === undefined) throw new Error("There is no request with the id of the form.");
  return request;
}
