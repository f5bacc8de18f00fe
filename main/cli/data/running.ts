/** The running Hangar of a data folder, which some work on the folder needs to end first. */
import { setTimeout as later } from 'node:timers/promises';
import type { Cli } from '../cli.ts';
import type { Connection } from '../connection.ts';
import { isAlive } from '../../app/platform/instanceFile.ts';
import { CommandFailure, exitCodes, toFailure } from '../failure.ts';

const END_MS = 20_000;
const RETRY_MS = 100;

/** The running Hangar; null if there is none. */
export async function findRunning(cli: Cli): Promise<Connection | null> {
  try {
    return await cli.connection();
  } catch (thrown) {
    if (toFailure(thrown).exitCode === exitCodes.notRunning) return null;
    throw thrown;
  }
}

/**
 * Ends the running Hangar in order. Throws CommandFailure while it has work that would be interrupted, unless `force`.
 * Queued jobs stay queued.
 */
export async function stopHangar(cli: Cli, { client, instance, closed }: Connection, force: boolean): Promise<void> {
  const work = force ? [] : await client.data.openWork();
  if (work.length > 0) {
    throw new CommandFailure(
      exitCodes.failed,
      `This would end ${work.join(', ')}. Nothing was done. Wait, or add --force.`,
    );
  }
  cli.output.note(`Hangar (process ${instance.pid}) is stopped.`);
  // Its end is expected from here on.
  await cli.close();
  process.kill(instance.pid, 'SIGTERM');
  const giveUpAt = performance.now() + END_MS;
  await Promise.race([closed, later(END_MS, undefined, { ref: false })]);
  while (isAlive(instance.pid)) {
    if (performance.now() > giveUpAt) {
      throw new CommandFailure(exitCodes.failed, `Hangar (process ${instance.pid}) did not stop. Nothing was done.`);
    }
    await later(RETRY_MS);
  }
}

/** Makes sure that no Hangar uses the folder: stops it with `--stop`, otherwise throws CommandFailure. */
export async function requireStopped(
  cli: Cli,
  { stop, force, instead }: { stop: boolean; force: boolean; instead: string },
): Promise<void> {
  const running = await findRunning(cli);
  if (running === null) return;
  if (!stop) {
    throw new CommandFailure(
      exitCodes.failed,
      `Hangar runs on ${cli.dataDir} (process ${running.instance.pid}). Stop it first, or add --stop. ${instead}`,
    );
  }
  await stopHangar(cli, running, force);
}
