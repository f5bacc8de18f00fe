/** The updates of the desktop program: schedules checks and downloads. */
import type { UpdateChannel, UpdateStatus } from '#contract/bridge/updates.ts';
import { AppError } from '#contract/core/errors.ts';
import type { UpdateService } from '../../../app/bridge/host/updates.ts';
import type { Cancel } from '../../../app/platform/clock.ts';
import type { Installation } from './installation.ts';
import { createInstaller, type InstallerOptions } from './installer.ts';
import type { UpdateSource } from './source.ts';
import { nextState } from './stateMachine.ts';
import { createStatus } from './status.ts';

const CHECK_MS = 6 * 60 * 60_000;
/** Delay after a failure, which is shorter because most failures are those of the network. */
const RETRY_MS = 30 * 60_000;

export interface Updates extends UpdateService {
  /** The first check; the following checks are scheduled automatically. */
  start(): Promise<void>;
  /**
   * Called before the program stops everything. Resolves soon, after the decision whether a version is installed at its
   * end.
   */
  beforeQuit(): Promise<void>;
  /**
   * Called after everything has stopped. Installs the decided version; resolves when the program should end, and never
   * rejects.
   */
  install(): Promise<void>;
  stop(): void;
}

export interface Prepared {
  readonly installation: Installation;
  /** Null if there is no feed. */
  readonly source: UpdateSource | null;
}

export interface UpdatesOptions extends InstallerOptions {
  /** Detects, once, how this program was installed, and creates the reader of its feed. */
  readonly prepare: () => Promise<Prepared>;
  /** The running version. */
  readonly current: string;
  readonly channel: UpdateChannel;
  readonly keepChannel: (channel: UpdateChannel) => Promise<void>;
}

/** Reads and loads nothing before `start` or the first check. */
export function createUpdates(options: UpdatesOptions): Updates {
  const { clock } = options;
  const status = createStatus(options.current, options.channel, options.logger);
  const installer = createInstaller(status, options);
  /** Results of a check or download of an earlier round are ignored, because the channel has changed. */
  let round = 0;
  let cancelCheck: Cancel = () => undefined;
  let stopped = false;
  let preparing: Promise<Prepared> | null = null;
  let source: UpdateSource | null = null;

  async function prepare(): Promise<Prepared> {
    preparing ??= options.prepare();
    const prepared = await preparing;
    ({ source } = prepared);
    const { manual } = prepared.installation;
    if (manual !== status.now.manual) status.change({ manual });
    return prepared;
  }

  function scheduleCheck(): void {
    cancelCheck();
    if (stopped || source === null) return;
    cancelCheck = clock.after(status.now.state === 'failed' ? RETRY_MS : CHECK_MS, () => void check());
  }

  async function download(ofRound: number, from: UpdateSource): Promise<void> {
    status.move('download', { progress: { doneBytes: 0, totalBytes: 0 } });
    try {
      await from.download((progress) => {
        if (ofRound === round && status.now.state === 'downloading') status.change({ progress });
      });
      if (ofRound === round) status.move('downloaded', { plan: null });
    } catch (error) {
      if (ofRound === round) status.fail(error);
    }
    scheduleCheck();
  }

  async function check(): Promise<UpdateStatus> {
    const { installation, source: from } = await prepare();
    if (from === null || stopped || !status.move('check', { version: null, command: null })) {
      scheduleCheck();
      return status.now;
    }
    const ofRound = ++round;
    try {
      const { version, offer, files } = await from.check(status.now.channel);
      if (ofRound !== round) return status.now;
      const withheld = offer === 'older' || offer === 'held-back' ? offer : null;
      const facts = { newest: version, withheld, checkedAt: clock.now() };
      if (offer !== 'newer') status.move('none', facts);
      else {
        status.move('found', { ...facts, version, command: installation.command(files) });
        if (installation.manual === null) void download(ofRound, from);
      }
    } catch (error) {
      if (ofRound !== round) return status.now;
      status.change({ checkedAt: clock.now() });
      status.fail(error);
    }
    scheduleCheck();
    return status.now;
  }

  async function setChannel(channel: UpdateChannel): Promise<UpdateStatus> {
    if (channel === status.now.channel) return status.now;
    if (nextState(status.now.state, 'reset') === null) {
      throw new AppError('CONFLICT', 'Hangar is about to end and install an update. Choose the channel afterwards.');
    }
    await options.keepChannel(channel);
    round++;
    installer.abandon();
    source?.cancel();
    const nothing = { version: null, newest: null, withheld: null, plan: null, command: null, checkedAt: null };
    status.move('reset', { channel, ...nothing });
    void check();
    return status.now;
  }

  return {
    get status() {
      return status.now;
    },
    onStatus: status.onChange,
    start: async () => void (await check()),
    check,
    async choose(plan) {
      await installer.choose(plan);
      return status.now;
    },
    setChannel,
    beforeQuit: installer.beforeQuit,
    install: () => (source === null ? Promise.resolve() : installer.install(source)),
    stop() {
      stopped = true;
      cancelCheck();
      installer.abandon();
      source?.cancel();
    },
  };
}
