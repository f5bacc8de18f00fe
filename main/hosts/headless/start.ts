/** Starts the headless host and the process of its engine at the same time, so that both load their code in parallel. */
import { engineNodeFlags } from '#contract/local/engineFlags.ts';
import { startAhead } from './childProgram.ts';
import type { ProgramPaths } from './cli.ts';

/** Variables with secrets: the host removes them from its environment only after its own code is loaded. */
const SECRET_VARIABLES: ReadonlySet<string> = new Set(['HANGAR_API_KEY', 'HANGAR_PASSPHRASE']);

/** The environment of a child process, without secrets. */
export const withoutSecrets = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET_VARIABLES.has(name)));

/** Runs until a signal ends it; sets the exit code of the process. */
export async function startHeadless(args: readonly string[], paths: ProgramPaths, version: string): Promise<void> {
  // A process whose host ends before it uses the engine ends by itself.
  const takeEngine = args.includes('--help')
    ? () => null
    : startAhead(paths.engine, engineNodeFlags, withoutSecrets(process.env));
  const { runHeadless } = await import('./cli.ts');
  await runHeadless(args, paths, version, takeEngine);
}
