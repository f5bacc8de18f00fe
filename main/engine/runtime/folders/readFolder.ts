/**
 * Describes the endpoint that a folder would become: its handler, its Python, its hub files and tests, and its
 * problems.
 */
import { AppError } from '#contract/core/errors.ts';
import { PYTHON_VARIABLE, type FolderReading } from '#contract/local/folder.ts';
import type { WorkerDriver, WorkerTemplate } from '../../domain/autoscaling/ports.ts';
import { readHub, readTests } from './hubFiles.ts';
import { folderPath, isFolderTemplate } from './workerFolder.ts';

/**
 * Reads a folder.
 *
 * @param imageName A `file://` address. Throws BAD_REQUEST for any other.
 * @param python The person's Python in the format of HANGAR_PYTHON; undefined for the default of the folder.
 */
export async function readFolder(
  driver: Pick<WorkerDriver, 'inspect' | 'unavailable'>,
  imageName: string,
  python: string | undefined,
): Promise<FolderReading> {
  const template: WorkerTemplate = {
    id: '',
    name: '',
    imageName,
    dockerEntrypoint: [],
    dockerStartCmd: [],
    containerDiskInGb: 0,
    env: python === undefined ? {} : { [PYTHON_VARIABLE]: python },
  };
  if (!isFolderTemplate(template))
    throw new AppError('BAD_REQUEST', `${imageName} names no folder: it begins with file://.`);
  const place = folderPath(template);
  const hub = place.problem === null ? readHub(place.folder) : { template: {}, endpoint: {}, presets: [], notices: [] };
  const tests = place.problem === null ? readTests(place.folder) : null;
  const facts = await driver.inspect(template);
  return {
    file: null,
    python: null,
    environmentSource: null,
    ...facts,
    problem: await driver.unavailable(template),
    ...hub,
    notices: [...(facts?.notices ?? []), ...hub.notices, ...(typeof tests === 'string' ? [tests] : [])],
    tests: tests === null || typeof tests === 'string' ? 0 : tests.tests.length,
  };
}
