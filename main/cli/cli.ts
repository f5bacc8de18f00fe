/** The context of every command: the output, one connection to Hangar, and the handling of Ctrl+C. */
import type { CommandClient } from '#contract/command/index.ts';
import { findDataFolder, type DataFolder } from '../app/platform/folders/dataFolder.ts';
import { openConnection, type Connection } from './connection.ts';
import type { Probes } from './doctor/probes.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { Output } from './output/output.ts';

/** Options that every command has. */
export interface SharedOptions {
  json?: boolean;
  table?: boolean;
  dataDir?: string | undefined;
}

/**
 * Ctrl+C reaches every process of the terminal, and the script that started this one forwards it: the same signal again
 * within this time is the same keystroke.
 */
const ECHO_MS = 250;

/** Exit codes after a signal: 128 plus its number. */
const TERMINATED = 143;
const HUNG_UP = 129;
/** Longest cleanup after a signal. */
const LAST_WORK_MS = 3000;

export class Cli {
  readonly output: Output;
  readonly dataDir: string;
  /** The data folder with what names it. */
  readonly folder: DataFolder & { isDefault: boolean };
  readonly version: string;
  /** Probes of this machine, for the case that no Hangar runs. */
  readonly probes: Probes;
  /** Rejects with CommandFailure `notRunning` when Hangar ends before the command. */
  readonly lost: Promise<never>;
  #reportLoss: (failure: CommandFailure) => void = () => undefined;
  #connection: Promise<Connection> | null = null;
  #isClosing = false;
  #onInterrupt: (() => void) | null = null;
  #interruptedAt = -Infinity;
  #onTermination: (() => Promise<void>) | null = null;

  constructor({ json = false, table = false, dataDir }: SharedOptions, version: string, probes: Probes) {
    this.output = new Output({ json, table });
    const folder = findDataFolder(dataDir, process.env);
    this.folder = { ...folder, isDefault: folder.namedBy === 'default' };
    this.dataDir = folder.dataDir;
    this.version = version;
    this.probes = probes;
    this.lost = new Promise((_resolve, reject) => (this.#reportLoss = reject));
    this.lost.catch(() => undefined);
    process.on('SIGINT', () => this.#interrupt());
    process.on('SIGTERM', () => this.#terminate(TERMINATED));
    process.on('SIGHUP', () => this.#terminate(HUNG_UP));
  }

  /** The procedures of the running Hangar, over one shared connection. */
  async client(): Promise<CommandClient> {
    return (await this.connection()).client;
  }

  connection(): Promise<Connection> {
    return (this.#connection ??= this.#open());
  }

  async #open(): Promise<Connection> {
    const connection = await openConnection(this.dataDir);
    void connection.closed.then(() => {
      if (this.#isClosing) return;
      const message = 'Hangar ended before the command was done. Jobs that were sent to other machines continue there.';
      this.#reportLoss(new CommandFailure(exitCodes.notRunning, message));
    });
    return connection;
  }

  /**
   * Sets the action of the first Ctrl+C. Without one, and at the second Ctrl+C, the command ends immediately. Null
   * removes it.
   */
  onInterrupt(listener: (() => void) | null): void {
    this.#onInterrupt = listener;
  }

  #interrupt(): void {
    const now = performance.now();
    if (now - this.#interruptedAt < ECHO_MS) return;
    this.#interruptedAt = now;
    const listener = this.#onInterrupt;
    this.#onInterrupt = null;
    if (listener === null) process.exit(exitCodes.interrupted);
    listener();
  }

  /** Sets the cleanup after a signal. Null removes it. */
  onTermination(work: (() => Promise<void>) | null): void {
    this.#onTermination = work;
  }

  #terminate(code: number): void {
    const end = (): never => process.exit(code);
    const work = this.#onTermination;
    this.#onTermination = null;
    if (work === null) end();
    setTimeout(end, LAST_WORK_MS);
    void work?.().then(end, end);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const connection = await this.#connection?.catch(() => null);
    connection?.close();
  }
}
