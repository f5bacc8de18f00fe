/** The procedures about the host program. A host with windows answers those about the desktop. */
import type { DesktopChange, DesktopState, hostContract, HostInfo } from '#contract/bridge/host.ts';
import type { CrashNotice } from '#contract/app/crash.ts';
import { AppError } from '#contract/core/errors.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { Crashes } from '../../crashes/crashes.ts';
import { listFolder } from '../../services/folders/listing.ts';
import { makeFolder } from '../../services/folders/newFolder.ts';
import { pause, type Clock } from '../../platform/clock.ts';
import { createBell, PACE_MS } from '../asyncSignal.ts';

/** The services of a host with windows for its page. */
export interface DesktopHost {
  state(): Promise<DesktopState>;
  /** Returns the state after the change. */
  change(change: DesktopChange): Promise<DesktopState>;
  /** The absolute path that a person chooses in a dialog of the system; null if they cancel. */
  pick(kind: 'folder' | 'file'): Promise<string | null>;
  /** Selects the file in the file manager of the system. Never opens the file itself. */
  showFile(path: string): void;
}

/** The notices now, then after each change. If changes come faster than a window can show them, only the last is sent. */
async function* watchCrashes(
  crashes: Crashes,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<CrashNotice[], void, void> {
  const bell = createBell(signal);
  const unsubscribe = crashes.onChange(bell.ring);
  try {
    while (!signal.aborted) {
      yield [...crashes.notices()];
      await bell.next();
      await pause(clock, PACE_MS, signal);
    }
  } finally {
    unsubscribe();
    bell.stop();
  }
}

interface HostBinding {
  readonly info: HostInfo;
  /** Null for a host without windows. */
  readonly desktop: DesktopHost | null;
  readonly crashes: Crashes;
  /** The umask of the person. */
  readonly personMask: number;
  readonly clock: Clock;
  /** A signal that aborts when the window leaves or the app stops. */
  readonly lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
}

export function bindHost(
  procedures: ImplementerInternalWithMiddlewares<typeof hostContract, object, object>,
  { info, desktop, crashes, personMask, clock, lifeOf }: HostBinding,
) {
  return {
    info: procedures.info.handler(() => info),
    desktop: procedures.desktop.handler(() => desktop?.state() ?? null),
    changeDesktop: procedures.changeDesktop.handler(({ input }) => {
      if (desktop === null) throw new AppError('UNSUPPORTED', 'Only the desktop program of Hangar has these settings.');
      return desktop.change(input);
    }),
    pickFolder: procedures.pickFolder.handler(() => desktop?.pick('folder') ?? null),
    pickFile: procedures.pickFile.handler(() => desktop?.pick('file') ?? null),
    showFile: procedures.showFile.handler(({ input }) => {
      if (desktop === null) throw new AppError('UNSUPPORTED', 'Only the desktop program of Hangar shows files.');
      return desktop.showFile(input.path);
    }),
    listFolder: procedures.listFolder.handler(({ input }) => listFolder(input.path)),
    makeFolder: procedures.makeFolder.handler(({ input }) => makeFolder(input.path, personMask)),
    // A host that serves its page to browsers answers those on its own computer itself.
    inviteBrowser: procedures.inviteBrowser.handler(() => {
      throw new AppError(
        'UNSUPPORTED',
        'Only a browser on the computer that runs Hangar can pair another one. Open Hangar there, or press Enter in its terminal.',
      );
    }),
    // A host that serves its page to browsers answers these itself.
    browsers: procedures.browsers.handler(() => []),
    removeBrowser: procedures.removeBrowser.handler(() => {
      throw new AppError('UNSUPPORTED', 'Only a host that serves its page to browsers has paired browsers.');
    }),
    crashes: {
      watch: procedures.crashes.watch.handler(({ signal }) => watchCrashes(crashes, clock, lifeOf(signal))),
      dismiss: procedures.crashes.dismiss.handler(({ input }) => crashes.dismiss(input.part)),
      report: procedures.crashes.report.handler(({ input }) => ({ text: crashes.report(input.part) })),
    },
  };
}
