import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine, type Engine } from '../../../main/engine/compose.ts';
import { systemClock, systemIds } from '../../../main/engine/runtime/host/systemClock.ts';
import { durably } from '../../../main/engine/store/engineStore.ts';

/** What an engine serves, by its own account: `METHOD path`, of job paths up to the operation. */
export async function servedRoutes(): Promise<Engine['served']> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hangar-served-'));
  const start = {
    type: 'start' as const,
    dataDir,
    host: '127.0.0.1',
    port: 0,
    version: '0',
    logLevel: 'silent' as const,
    workerKitDir: dataDir,
    runKey: 'rpa_SERVED',
    dataKey: Buffer.alloc(32).toString('base64'),
    allowedHosts: [],
  };
  const failing = (reason: string): never => {
    throw new Error(reason);
  };
  const world = { clock: systemClock, ids: systemIds, storing: durably, onRecovery: failing, onStoreFailure: failing };
  const inside = await startEngine(start, world);
  await inside.stop();
  await rm(dataDir, { recursive: true });
  return inside.served;
}
