/**
 * Starts the headless host fast: it and its engine load their code at the same time, and neither compiles again what an
 * earlier start has compiled.
 */
import { enableCompileCache } from 'node:module';
import { engineNodeFlags } from '#contract/local/engineFlags.ts';
import { startAhead } from './childProgram.ts';
import { codeCacheOf } from './codeCache.ts';
import type { ProgramPaths } from './serve.ts';

/** Variables with secrets: the host removes them from its environment only after its own code is loaded. */
const SECRET_VARIABLES: ReadonlySet<string> = new Set(['HANGAR_API_KEY', 'HANGAR_PASSPHRASE']);

/**
 * The environment of the engine, without secrets. `codeCache`: the folder of its compiled code, or null. Workers do not
 * inherit this variable.
 */
export function engineEnv(env: NodeJS.ProcessEnv, codeCache: string | null): NodeJS.ProcessEnv {
  const entries = Object.entries(env).filter(([name]) => !SECRET_VARIABLES.has(name));
  if (codeCache !== null) entries.push(['NODE_COMPILE_CACHE', codeCache]);
  return Object.fromEntries(entries);
}

/** Runs until a signal ends it; sets the exit code of the process. */
export async function startHeadless(args: readonly string[], paths: ProgramPaths, version: string): Promise<void> {
  const codeCache = codeCacheOf(args, process.env, paths.engine);
  if (codeCache !== null) enableCompileCache(codeCache);
  // A process whose host ends before it uses the engine ends by itself.
  const takeEngine = args.includes('--help')
    ? () => null
    : startAhead(paths.engine, engineNodeFlags, engineEnv(process.env, codeCache));
  const { runHeadless } = await import('./cli.ts');
  await runHeadless(args, paths, version, takeEngine);
}
