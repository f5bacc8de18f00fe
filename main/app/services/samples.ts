/**
 * The examples of Hangar: a copy of each, its template and its endpoint. They are created at the first start, and again
 * on request of a person.
 */
import { cp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '#contract/core/errors.ts';
import { isMissingFile } from '#contract/core/systemCode.ts';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { ComputeApi } from './directory.ts';
import { makeContentPrivate, makePrivateFolder } from '../platform/privateFolder.ts';

/** The folders of the examples. */
export interface SampleFolders {
  /** The folder of the files that come with Hangar. The examples are in its folder `examples`. */
  resourcesDir: string;
  /** Folder of the copies: a person edits these, not the originals. */
  targetDir: string;
}

export interface SamplesOptions extends SampleFolders {
  management: SampleManagement;
  /** The names of the created examples. They are not created again, even if the person has removed them. */
  made: { read(): string[] | undefined; write(names: string[]): void };
  logger: Logger;
}

export type SampleManagement = Pick<
  ComputeApi['management'],
  'templates' | 'createTemplate' | 'endpoints' | 'createEndpoint'
>;

/** The first example that a person sees. */
const FIRST = 'stream-words';
const byName = (a: string, b: string): number => Number(b === FIRST) - Number(a === FIRST) || a.localeCompare(b);

export const madeSchema = z.array(z.string());

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (!isMissingFile(error)) throw error;
    return false;
  }
}

/** The copy gets its name only when it is complete. */
async function copyFolder(from: string, to: string): Promise<void> {
  if (await exists(to)) return;
  const half = `${to}.part`;
  await rm(half, { recursive: true, force: true });
  await cp(from, half, { recursive: true });
  // A copy has the permissions of its original.
  makePrivateFolder(half);
  await makeContentPrivate(half);
  await rename(half, to);
}

const readmeOf = (folder: string): Promise<string> => readFile(join(folder, 'README.md'), 'utf8');

const examplesIn = (resourcesDir: string): string => join(resourcesDir, 'examples');

async function sampleNames(resourcesDir: string): Promise<string[]> {
  const folders = (await readdir(examplesIn(resourcesDir), { withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  );
  return folders.map(({ name }) => name).toSorted(byName);
}

/** The examples, the recommended first one first. */
export const listSamples = async (resourcesDir: string): Promise<{ name: string; readme: string }[]> =>
  Promise.all(
    (await sampleNames(resourcesDir)).map(async (name) => ({
      name,
      readme: await readmeOf(join(examplesIn(resourcesDir), name)),
    })),
  );

/** Returns the id of its endpoint. Every step first checks whether an interrupted start already did it. */
async function makeSample(
  name: string,
  { resourcesDir, targetDir }: SampleFolders,
  management: SampleManagement,
): Promise<string> {
  const folder = join(targetDir, name);
  await copyFolder(join(examplesIn(resourcesDir), name), folder);
  const imageName = pathToFileURL(folder).href;
  const readme = await readmeOf(folder);
  const template =
    (await management.templates()).find((candidate) => candidate.imageName === imageName) ??
    (await management.createTemplate({ name, imageName, readme, isServerless: true }));
  const there = (await management.endpoints()).find(({ templateId }) => templateId === template.id);
  if (there) return there.id;
  const settings = { name, templateId: template.id, workersMin: 0, workersMax: 3, idleTimeout: 60 };
  return (await management.createEndpoint(settings)).id;
}

/** Creates one example on request of a person. */
export async function makeSampleAgain(
  name: string,
  folders: SampleFolders,
  management: SampleManagement,
): Promise<{ endpointId: string }> {
  if (!(await sampleNames(folders.resourcesDir)).includes(name)) {
    throw new AppError('NOT_FOUND', `There is no example named ${JSON.stringify(name)}.`);
  }
  return { endpointId: await makeSample(name, folders, management) };
}

/** Rejects if an example cannot be created; the next start continues there. */
export async function makeSamples(options: SamplesOptions): Promise<void> {
  const { resourcesDir, made, management, logger } = options;
  for (const name of await sampleNames(resourcesDir)) {
    const names = made.read() ?? [];
    if (names.includes(name)) continue;
    await makeSample(name, options, management);
    made.write([...names, name]);
    logger.info({ name }, 'made a sample endpoint');
  }
}
