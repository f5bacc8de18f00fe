/** The settings of the desktop program, in a small file beside the state of the windows. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { desktopSettingsSchema, type DesktopChange, type DesktopSettings } from '#contract/bridge/host.ts';
import { writeAtomicFile } from '../../../app/platform/atomicFile.ts';
import { readStateFile } from '../stateFile.ts';

export interface SettingsFile {
  now(): DesktopSettings;
  /** Rejects if the file cannot be written; the settings are then unchanged. */
  change(change: DesktopChange): Promise<void>;
}

export function openSettingsFile(file: string, logger: Logger): SettingsFile {
  let settings = readStateFile(file, desktopSettingsSchema, logger) ?? desktopSettingsSchema.parse({});
  /** Writes run one after the other. */
  let queue: Promise<void> = Promise.resolve();
  return {
    now: () => settings,
    change({ notify, ...wanted }) {
      const write = async (): Promise<void> => {
        const {
          showTray = settings.showTray,
          closeToTray = settings.closeToTray,
          keepAwake = settings.keepAwake,
          drawWithGpu = settings.drawWithGpu,
        } = wanted;
        const decidedClose = settings.decidedClose || wanted.closeToTray !== undefined;
        const notices = { ...settings.notify, ...notify };
        const next = { showTray, closeToTray, decidedClose, keepAwake, drawWithGpu, notify: notices };
        await mkdir(dirname(file), { recursive: true });
        await writeAtomicFile(file, `${JSON.stringify(next)}\n`);
        settings = next;
      };
      const done = queue.then(write);
      queue = done.catch(() => undefined);
      return done;
    },
  };
}
