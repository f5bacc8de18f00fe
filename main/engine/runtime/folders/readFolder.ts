/** What an endpoint would be made of a folder: its handler, its Python, its hub files and tests, and what keeps it from running. */
import { AppError } from '#contract/core/errors.ts';
import { PYTHON_VARIABLE, type FolderReading } from '#contract/local/folder.ts';
import type { WorkerDriver, WorkerTemplate } from '../../domain/autoscaling/ports.ts';
import { readHub, readTests } from './hubFiles.ts';
import { folderPath, isFolderTemplate } from './workerFolder.ts';

/**
 * @param imageName a `file://` address; BAD_REQUEST for any other
 * @param python the Python that the person wants, as HANGAR_PYTHON takes it; undefined for the one of the folder
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
