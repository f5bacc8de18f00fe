/** Installs programs of Go modules, and their end-to-end tests as programs. */
import { join } from 'node:path';
import * as z from 'zod';
import { runCommand, WINDOWS } from './command.ts';

const inFolder = (folder: string, program: string): string => join(folder, 'bin', WINDOWS ? `${program}.exe` : program);

/** The program of a module in a folder that `installGo` has made. */
export const goProgram = (folder: string, name: string): string => inFolder(folder, name);

/** The program that its end-to-end tests are, where it has such. */
export const goTests = (folder: string): string => inFolder(folder, 'e2e.test');

const downloadSchema = z.object({ Dir: z.string() });

/**
 * Puts the program of each module (`path@version`) into `bin` of the folder. `endToEnd`: a package of the first module
 * whose tests with the tag `e2e` become a program beside it. Throws a CommandError where Go or the module cannot be
 * had.
 */
export async function installGo(folder: string, modules: readonly string[], endToEnd?: string): Promise<void> {
  const goFlags = `${process.env['GOFLAGS'] ?? ''} -modcacherw`.trim();
  const env = { GOBIN: join(folder, 'bin'), GOFLAGS: goFlags, GOTOOLCHAIN: 'local' };
  await runCommand('go', ['install', ...modules], { env });
  if (endToEnd === undefined) return;
  const download = await runCommand('go', ['mod', 'download', '-json', modules[0]!], { env });
  const { Dir: cwd } = downloadSchema.parse(JSON.parse(download));
  await runCommand('go', ['test', '-c', '-tags', 'e2e', '-o', goTests(folder), endToEnd], { env, cwd });
}
