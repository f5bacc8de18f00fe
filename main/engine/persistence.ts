/**
 * What an engine keeps on its disk, each part with the rules over it: settings, keys, endpoints, volumes, jobs' rows,
 * bodies.
 */
import { join } from 'node:path';
import type { EngineStart } from '#contract/local/engine.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import { createAccount } from './domain/access/owner.ts';
import { createApiKeys } from './domain/access/apiKeys.ts';
import { createPairing } from './domain/access/pairing.ts';
import { createEndpoints } from './domain/resources/endpoints.ts';
import type { Clock, Ids, Logger } from './domain/core/ports.ts';
import type { LargeTexts } from './domain/jobs/payload/largeBodies.ts';
import { createRegistryAuths } from './domain/resources/registryAuths.ts';
import { createSecrets } from './domain/resources/secrets.ts';
import { createSettings } from './domain/settings.ts';
import { createTemplates } from './domain/resources/templates.ts';
import { createVolumes } from './domain/resources/volumes.ts';
import { createBodyBudget } from './service/http/bodies/budget.ts';
import { createBodyIntake } from './service/http/bodies/parser.ts';
import { BodyPieces } from './store/payloads/bodyChannel.ts';
import { createHistories } from './store/history/histories.ts';
import { createBodyThread } from './store/payloads/bodyWorker.ts';
import type { EngineStore } from './store/engineStore.ts';
import { createDamagedRecords } from './store/repositories/damagedRecords.ts';
import { createJobStore } from './store/repositories/jobs.ts';
import { createMetaStore } from './store/repositories/meta.ts';
import { createMetricsStore } from './store/repositories/metrics.ts';
import {
  createApiKeyStore,
  createRegistryAuthStore,
  createResourceStore,
  createVolumeStore,
} from './store/repositories/resources.ts';
import { folderKey, readFolderKey } from './store/encryption/folderKey.ts';
import { sealOpenTexts } from './store/encryption/sealedText.ts';
import { createSealing } from './store/encryption/encryption.ts';
import { createSecretStore } from './store/repositories/secrets.ts';
import { createTextFiles } from './store/payloads/payloadFiles.ts';
import { createUnreadable } from './store/encryption/unreadable.ts';
import { relocateTemplates } from './store/repositories/relocation.ts';
import { createUsageStore } from './store/repositories/usage.ts';
import { createVolumeFolders } from './store/repositories/volumeFolders.ts';

/** Bytes of large bodies in memory at once: enough to keep the disk busy. Further bodies wait. */
const LARGE_BODIES_BYTES = 128 * 1024 * 1024;

interface Parts {
  settings: EngineStart;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  opened: EngineStore;
}

export type Records = ReturnType<typeof createRecords>;

export function createRecords({ settings: start, clock, ids, logger, opened }: Parts) {
  const { database, commits } = opened;
  const damaged = createDamagedRecords(logger);
  const meta = createMetaStore(database, damaged);
  const keyStore = createApiKeyStore(database, commits, damaged);
  const keys = createApiKeys(keyStore, ids, clock, start.runKey);
  const dataKey = Buffer.from(start.dataKey, 'base64');
  const older = (start.olderDataKeys ?? []).map((key) => Buffer.from(key, 'base64'));
  // Where the data key is of this run only, what later runs need is sealed with the key of the folder.
  const lastingKey = start.dataKeyIsKept === false ? folderKey(start.dataDir) : dataKey;
  const others = [...older, readFolderKey(start.dataDir)].filter((key) => key !== null);
  const sealing = createSealing(dataKey, others);
  const lasting = createSealing(lastingKey, [dataKey, ...others]);
  const unreadable = createUnreadable();
  sealOpenTexts(database, lasting);
  relocateTemplates(database, start.movedFrom ?? [], start.dataDir);
  const resources = createResourceStore(database, { sealing: lasting, unreadable, damaged });
  const files = createTextFiles(join(start.dataDir, 'blobs'), sealing, logger);
  const settings = createSettings(meta.settings, logger);
  const limitsNow = (): LimitSettings => settings.current.limits;
  const bodyThread = createBodyThread({ key: dataKey, lastingKey, files, logger, limits: limitsNow });
  const texts: LargeTexts = {
    gather: () => new BodyPieces(),
    checkRequest: (body: BodyPieces) => bodyThread.check('request', body),
    checkOpenai: (body: BodyPieces, route) => bodyThread.check('openai', body, route),
    checkResult: (body: BodyPieces) => bodyThread.check('result', body),
    checkChunk: (body: BodyPieces) => bodyThread.check('chunk', body),
    probe: files.probe,
    read: files.read,
    discard: ({ file }) => files.remove(file),
  };
  const registryAuths = createRegistryAuths(createRegistryAuthStore(database, sealing, damaged), ids);
  const volumeFolders = createVolumeFolders(join(start.dataDir, 'volumes'), logger, start.workerMask);
  const volumes = createVolumes(createVolumeStore(database, damaged), volumeFolders, ids);
  const templates = createTemplates(resources, ids, registryAuths.has);
  const executionTimeoutMs = (): number => limitsNow().executionTimeoutMs.default;
  return {
    lasting,
    unreadable,
    damaged,
    pauseStore: meta.pause,
    settings,
    limitsNow,
    files,
    texts,
    bodyThread,
    intake: createBodyIntake(texts, createBodyBudget(LARGE_BODIES_BYTES), logger, limitsNow),
    jobStore: createJobStore(database, commits, { sealing, lasting, unreadable }, files),
    usage: createUsageStore(database, commits),
    metricsStore: createMetricsStore(database, commits),
    histories: createHistories(start.dataDir, logger),
    account: createAccount(meta.account),
    keys,
    pairing: createPairing(keys, ids, clock),
    claimFirstStart: () => keyStore.claimFirstStart(),
    registryAuths,
    secrets: createSecrets(createSecretStore(database, lasting, damaged), ids, clock),
    volumes,
    templates,
    endpoints: createEndpoints(resources, templates, ids, clock, executionTimeoutMs, volumes.has),
  };
}
