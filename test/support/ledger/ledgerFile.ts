/** A ledger in a file of its own folder, which a spec opens and stops again as starts of the program do. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLedger, type Ledger } from '../../../main/app/ledger/ledger.ts';
import { silentPino } from './longLedger.ts';

export interface LedgerFile {
  readonly folder: string;
  readonly path: string;
  /**
   * Opens the ledger as a program of this version, 1.2.3 unless given. One that is open is stopped first. Throws what
   * `createLedger` throws; then none is open.
   */
  open(version?: string): Ledger;
  /** Stops the open ledger, if there is one. */
  stop(): void;
  /** Stops the ledger and removes the folder. Call it after the test. */
  remove(): void;
}

/** Creates the folder. The file does not exist before `open`. */
export function makeLedgerFile(): LedgerFile {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-ledger-'));
  const path = join(folder, 'ledger.db');
  let ledger: Ledger | null = null;
  function stop(): void {
    ledger?.stop();
    ledger = null;
  }
  return {
    folder,
    path,
    open(version = '1.2.3') {
      stop();
      ledger = createLedger(path, silentPino, version);
      return ledger;
    },
    stop,
    remove() {
      stop();
      rmSync(folder, { recursive: true });
    },
  };
}
