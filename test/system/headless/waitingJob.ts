/** A job on this computer that runs until the test lets it go on, in whatever run of Hangar. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { BridgeClient } from './headlessHost.ts';

const handler = `
  import { existsSync } from 'node:fs';
  import { setTimeout as later } from 'node:timers/promises';
  export default async function* () {
    yield 'begun';
    while (!existsSync('go-on')) await later(20);
  }
`;

interface WaitingJob {
  readonly entryId: string;
  goOn(): Promise<void>;
}

/** Sends it from the page, and resolves once the page has its first chunk. */
export async function startWaitingJob(client: BridgeClient, dataDir: string): Promise<WaitingJob> {
  const folder = join(dataDir, 'handlers', 'waits');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'handler.mjs'), handler);
  const name = 'waits';
  const { endpointId } = await client.endpoints.create({
    accountId: THIS_MACHINE,
    template: { name, imageName: pathToFileURL(folder).href, isServerless: true },
    endpoint: { name },
  });
  const entryId = randomUUID();
  await client.jobs.submit({
    entryId,
    accountId: THIS_MACHINE,
    endpointId,
    endpointName: name,
    mode: 'run',
    body: '{"input":{}}',
  });
  for await (const event of await client.jobs.watch({ entryId })) {
    if (event.type !== 'entry' && event.chunks.length > 0) break;
  }
  return { entryId, goOn: () => writeFile(join(folder, 'go-on'), '') };
}

/** The status of a job at its end. Where it has ended before, its snapshot is all that comes. */
export async function statusAtEnd(client: BridgeClient, entryId: string): Promise<LedgerEntry['status'] | undefined> {
  let status: LedgerEntry['status'] | undefined;
  for await (const event of await client.jobs.watch({ entryId })) {
    if (event.type !== 'chunks') ({ status } = event.entry);
  }
  return status;
}
