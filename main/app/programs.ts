/** The programs that the app starts and stops: the engine, and the process of the system's keychain. */
import { createEngineProcess, type EngineProcess, type EngineProcessOptions } from './engine/engineProcess.ts';
import { createPowerRelay } from './engine/powerRelay.ts';
import type { Clock } from './platform/clock.ts';
import { createDataKey } from './secrets/dataKey.ts';
import { createKeychain } from './secrets/keychain.ts';
import { createSecrets } from './secrets/secrets.ts';
import { readRelocated } from './storage/move/journal.ts';
import type { AppOptions } from './appOptions.ts';

/** Forwards each notice of the engine once, even if several starts report it. */
export function forwardNotices(engine: Pick<EngineProcess, 'onStatus'>, onNotice: (notice: string) => void): void {
  let forwarded = 0;
  engine.onStatus(({ notices }) => {
    const fresh = notices.slice(forwarded);
    forwarded = notices.length;
    for (const notice of fresh) onNotice(notice);
  });
}

function engineStart(options: AppOptions): EngineProcessOptions['start'] {
  return {
    type: 'start',
    dataDir: options.dataDir,
    host: options.engineHost,
    port: options.enginePort,
    version: options.version,
    workerKitDir: options.workerKitDir,
    runKey: options.runKey,
    streamAnswer: options.streamAnswer ?? null,
    allowedHosts: options.allowedHosts,
    logLevel: options.logLevel,
    workerMask: options.workerMask,
    movedFrom: readRelocated(options.dataDir),
  };
}

/** The two programs of an app, not started yet: the keychain with what needs it, and the engine. */
export function createPrograms(options: AppOptions, clock: Clock, notices: readonly string[]) {
  const { dataDir, crashes, logger } = options;
  const keychain = createKeychain({
    fork: options.forkKeychain,
    clock,
    onCrash: (exit, cause) => crashes.record({ part: 'keychain', exit, cause }),
  });
  const secrets = createSecrets({ dataDir, keychain, initial: options.keys, logger, clock });
  const dataKey = createDataKey({ secrets, logger });
  const allNotices = secrets.notice === null ? notices : [...notices, secrets.notice];
  for (const notice of allNotices) logger.error({ notice }, 'a problem with the data was found at the start');
  const power = createPowerRelay();
  const engine = createEngineProcess({
    fork: () => power.attach(options.forkEngine()),
    start: engineStart(options),
    dataKeys: dataKey.handOver,
    onCrash: (exit, cause) => crashes.record({ part: 'engine', exit, cause }),
    notices: allNotices,
    clock,
    logger,
  });
  return { secrets, dataKey, power, engine };
}

export type Programs = ReturnType<typeof createPrograms>;
