/**
 * Opens the files of the data folder that the app itself uses: the ledger, whose lock is the lock of the folder, and
 * the accounts.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '#contract/core/errors.ts';
import { readProblem } from '#contract/core/systemCode.ts';
import type { Logger } from 'pino';
import { accountsPath, openAccountFile, type AccountFile } from './accounts/accountFile.ts';
import { EngineStartError } from './engine/engineProcess.ts';
import { createLedger, LedgerInUseError, LedgerUnreadableError, type Ledger } from './ledger/ledger.ts';
import type { Clock } from './platform/clock.ts';
import { instanceOf } from './platform/instanceFile.ts';
import { ARRIVING, FolderNotHereError, requireUsable } from './platform/folders/movedFolder.ts';
import { FolderUnusableError, makePrivateFolder } from './platform/privateFolder.ts';
import { finishImport } from './storage/archive/importFolder.ts';

export const ledgerPath = (dataDir: string): string => join(dataDir, 'ledger.db');

/**
 * Completes what an earlier run or process has begun in the folder. Throws EngineStartError if the folder is not to be
 * opened, for example because its data was moved.
 */
export function openDataFolder(dataDir: string, movedFrom: readonly string[], logger: Logger): void {
  try {
    requireUsable(dataDir, movedFrom);
    rmSync(join(dataDir, ARRIVING), { force: true });
    const aside = finishImport(dataDir);
    if (aside !== null) logger.warn({ aside }, 'an import was completed; the data before lies there');
  } catch (thrown) {
    const isInUse = thrown instanceof FolderNotHereError && thrown.pid !== null;
    throw new EngineStartError(isInUse ? 'data-in-use' : 'data-unreadable', messageOf(thrown), { cause: thrown });
  }
}

export interface LedgerOptions {
  dataDir: string;
  /** The version of this Hangar. */
  version: string;
  logger: Logger;
  /**
   * Whether this host serves a page, which shows the ledger. Without a page, Hangar starts even if the ledger is
   * unusable.
   */
  hasPage: boolean;
}

export interface OpenedLedger {
  ledger: Ledger;
  /** Whether the ledger is stored after this run. */
  isKept: boolean;
  notices: string[];
}

/** Opens the ledger, which takes the instance lock of the data folder. Throws EngineStartError if that fails. */
export function openLedger({ dataDir, version, logger, hasPage }: LedgerOptions): OpenedLedger {
  try {
    const reason = makePrivateFolder(dataDir);
    if (reason !== null) logger.warn({ dataDir, reason }, 'other users of this machine may read the data folder');
    const ledger = createLedger(ledgerPath(dataDir), logger, version);
    return { ledger, isKept: true, notices: ledger.notice === null ? [] : [ledger.notice] };
  } catch (thrown) {
    if (thrown instanceof LedgerInUseError) {
      const pid = instanceOf(dataDir);
      const holder = pid === null ? 'another instance of Hangar' : `another instance of Hangar (pid ${pid})`;
      throw new EngineStartError(
        'data-in-use',
        `The data folder ${dataDir} is in use by ${holder}. Stop it first, or choose another folder.`,
        {
          cause: thrown,
        },
      );
    }
    if (thrown instanceof FolderUnusableError) {
      throw new EngineStartError('data-unreadable', thrown.message, { cause: thrown });
    }
    if (!hasPage) {
      const notice = `The ledger cannot be used: ${messageOf(thrown)} Hangar runs without it, as it shows no page.`;
      return { ledger: createLedger(':memory:', logger, version), isKept: false, notices: [notice] };
    }
    if (thrown instanceof LedgerUnreadableError) {
      throw new EngineStartError('data-unreadable', thrown.message, { cause: thrown });
    }
    const reason = messageOf(thrown);
    const advice = /disk is full|ENOSPC/.test(reason) ? ' Free some space there.' : '';
    throw new EngineStartError('failed', `The data folder ${dataDir} cannot be used: ${reason}.${advice}`, {
      cause: thrown,
    });
  }
}

/** Throws EngineStartError if the file exists and cannot be read. */
export function openAccounts(dataDir: string, clock: Clock): AccountFile {
  try {
    return openAccountFile(dataDir, () => clock.now());
  } catch (cause) {
    const reason = readProblem(cause) ?? messageOf(cause);
    throw new EngineStartError('failed', `${accountsPath(dataDir)} cannot be read: ${reason}.`, { cause });
  }
}
