/** Makes the sample endpoints at first start: a copy of each example, its template and its endpoint, each made once and never again. */
import { cp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { ComputeApi } from './directory.ts';

export interface SamplesOptions {
  examplesDir: string;
  /** Where the copies go: a person edits these, not the ones the program came with. */
  targetDir: string;
  management: ComputeApi['management'];
  /** The names of the examples that were made; they are not made again, whatever became of them since. */
  made: { read(): string[] | undefined; write(names: string[]): void };
  logger: Logger;
}

/** The one a person meets first. */
const FIRST = 'stream-words';
const byName = (a: string, b: string): number => Number(b === FIRST) - Number(a === FIRST) || a.localeCompare(b);

export const madeSchema = z.array(z.string());

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    // Any reason not to see it is reason enough to make it.
    return false;
  }
}

/** The copy appears under its name only when it is complete. */
async function copyFolder(from: string, to: string): Promise<void> {
  if (await exists(to)) return;
  const half = `${to}.part`;
  await rm(half, { recursive: true, force: true });
  await cp(from, half, { recursive: true });
  await rename(half, to);
}

/** Every step looks first whether an interrupted start has done it already. */
async function makeSample(name: string, { examplesDir, targetDir, management }: SamplesOptions): Promise<void> {
  const folder = join(targetDir, name);
  await copyFolder(join(examplesDir, name), folder);
  const imageName = pathToFileURL(folder).href;
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const template =
    (await management.templates()).find((found) => found.imageName === imageName) ??
    (await management.createTemplate({ name, imageName, readme, isServerless: true }));
  const isMade = (await management.endpoints()).some(({ templateId }) => templateId === template.id);
  if (isMade) return;
  await management.createEndpoint({ name, templateId: template.id, workersMin: 0, workersMax: 3, idleTimeout: 60 });
}

/** Rejects when an example cannot be made; the next start goes on from there. */
export async function makeSamples(options: SamplesOptions): Promise<void> {
  const { examplesDir, made, logger } = options;
  const folders = (await readdir(examplesDir, { withFileTypes: true })).filter((found) => found.isDirectory());
  for (const { name } of folders.toSorted((a, b) => byName(a.name, b.name))) {
    const names = made.read() ?? [];
    if (names.includes(name)) continue;
    await makeSample(name, options);
    made.write([...names, name]);
    logger.info({ name }, 'made a sample endpoint');
  }
}
