import { openLog } from "@suite/audit";

const TEXT = "It was sent to the address that the customer gave, and a confirmation was asked for. ".repeat(10);

/**
 * Writes a log of records of about 1 KiB. Each of the concurrent writers waits for its record before it writes the
 * next.
 */
export async function writeLog(dir: string, records: number, writers: number): Promise<void> {
  const log = await openLog({ dir });
  let next = 0;
  const write = async (): Promise<void> => {
    for (let n = next++; n < records; n = next++) {
      await log.append({ version: 1, stage: "outcome", type: "tool", operation: "refund", n, content: TEXT });
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  await log.close();
}
