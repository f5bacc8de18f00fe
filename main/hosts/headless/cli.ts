/**
 * The headless host from its flags to its exit code: starts the app and the page's server, and stops them on a signal.
 */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { AppError } from '#contract/core/errors.ts';
import { KeyOptionsError, takeKeyOptions } from '../../app/platform/keyOptions.ts';
import { makePrivateFiles } from '../../app/platform/privateFolder.ts';
import { noticeOf, performMaintenance, type Maintenance } from '../../app/storage/maintenance.ts';
import { FlagError, help, readFlags, type Flags } from './commandLine/flags.ts';
import { Exit, EXIT_FAILED, EXIT_USAGE_OR_PORT } from './commandLine/exit.ts';
import { openSession, type Session } from './session.ts';
import { serve, type ProgramPaths } from './serve.ts';

/** Removes the key from the environment, so that no child process inherits it. */
function takeKey(env: NodeJS.ProcessEnv): { key: string; isOwn: boolean } {
  const own = env['HANGAR_API_KEY'];
  delete env['HANGAR_API_KEY'];
  if (!own) return { key: `rpa_${randomBytes(24).toString('base64url')}`, isOwn: false };
  if (/^[\x21-\x7e]{8,200}$/.test(own)) return { key: own, isOwn: true };
  throw new Exit(EXIT_USAGE_OR_PORT, 'HANGAR_API_KEY must be 8 to 200 visible ASCII characters without spaces.');
}

/** Runs the app, and again on the data folder that work on the data leads to, until a signal or the removal of all. */
async function serveOn(flags: Flags, run: (session: Session) => Promise<Maintenance | null>): Promise<void> {
  const session = openSession(flags);
  for (;;) {
    const work = await run(session);
    if (work === null) return session.ended;
    const result = await performMaintenance(work, flags.dataDir);
    for (const notice of result.notices) process.stderr.write(`hangar: ${notice}\n`);
    if (result.dataDir === null || session.isStopping) return;
    session.notice = noticeOf(work, result);
    if (result.dataDir !== flags.dataDir) flags.movedFrom = [...flags.movedFrom, flags.dataDir];
    flags.dataDir = result.dataDir;
  }
}

/** Whether the message of an error says to a person what is wrong; a stack trace would only hide it. */
const isForPerson = (thrown: unknown): thrown is Exit | FlagError | KeyOptionsError | AppError =>
  [Exit, FlagError, KeyOptionsError, AppError].some((kind) => thrown instanceof kind);

/**
 * Runs until a signal ends it; sets the exit code of the process. `takeEngine` answers the process of the engine if one
 * was started already, and null after that.
 */
export async function runHeadless(
  args: readonly string[],
  paths: ProgramPaths,
  version: string,
  takeEngine: () => ChildProcess | null,
): Promise<void> {
  const workerMask = makePrivateFiles();
  // The reader of the output may close the pipe, as `head` does; Hangar continues.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  try {
    const flags = readFlags(args, process.env);
    if (flags === 'help') {
      process.stdout.write(help);
      return;
    }
    const [key, keys] = [takeKey(process.env), takeKeyOptions(process.env)];
    await serveOn(flags, (session) => serve({ session, flags, paths, version, key, keys, workerMask, takeEngine }));
    // Standard input or a slow page may still be open; all important parts have stopped.
    process.exit(0);
  } catch (thrown) {
    if (!isForPerson(thrown)) throw thrown;
    process.stderr.write(`hangar: ${thrown.message}\n`);
    if (thrown instanceof AppError) process.exit(EXIT_FAILED);
    process.exit(thrown instanceof Exit ? thrown.code : EXIT_USAGE_OR_PORT);
  }
}
