/** The folders of endpoints: their content, their Python environments, and the checks of their workers. */
import { AppError } from '#contract/core/errors.ts';
import type { DeclaredInput, EnvironmentState, FolderReading, WorkerCheck } from '#contract/local/folder.ts';
import type { Template } from '#contract/api/resources.ts';
import type { WorkerDriver } from '../../domain/autoscaling/ports.ts';
import type { Endpoints } from '../../domain/resources/endpoints.ts';
import type { Templates } from '../../domain/resources/templates.ts';
import type { CheckRunOptions } from './checkRun.ts';
import { createDeclaredInputs } from './declaredInput.ts';
import { createEnvironments } from './environments.ts';
import type { PythonFinder } from './python.ts';
import { readFolder } from './readFolder.ts';
import { NO_TESTS, testsVersion } from './hubFiles.ts';
import { createWorkerChecks } from './workerChecks.ts';
import { folderPath, isFolderTemplate } from './workerFolder.ts';

/** All methods with an endpoint throw NOT_FOUND for an unknown one, BAD_REQUEST for one without a folder. */
export interface EndpointFolders {
  /** `python`: the Python for the handler; undefined for the default of the folder. */
  read(imageName: string, python: string | undefined): Promise<FolderReading>;
  /** The input that the folder declares, as its files are now. */
  declaredInput(endpointId: string): Promise<DeclaredInput>;
  environment(endpointId: string): EnvironmentState;
  /** Begins to create the environment. The endpoints of the folder get new workers once it is complete. */
  makeEnvironment(endpointId: string): EnvironmentState;
  /** Resolves once all parts of the environment are removed. */
  stopEnvironment(endpointId: string): Promise<EnvironmentState>;
  /** The last check; before the first one, the tests of the folder without results. */
  checked(endpointId: string): WorkerCheck;
  /** Runs the tests of the folder as jobs, one after the other. Throws CONFLICT while a check runs. */
  check(endpointId: string): WorkerCheck;
  /** Throws CONFLICT where no check runs. */
  stopCheck(endpointId: string): WorkerCheck;
  /**
   * By the id of each endpoint: the version of the file of tests in its folder, which differs once the file is made,
   * written or removed. Never rejects.
   */
  testsVersions(): Promise<ReadonlyMap<string, string>>;
  /** The endpoints whose declared input may have changed since the last call, or since it was first read. */
  changedInputs(): string[];
  /** Removes the state of a deleted endpoint. */
  forget(endpointId: string): void;
  /** Stops the creation of environments. */
  stop(): Promise<void>;
}

export interface EndpointFoldersOptions extends CheckRunOptions {
  endpoints: Endpoints;
  templates: Templates;
  driver: WorkerDriver;
  python: PythonFinder;
  workerKitDir: string;
  /** Called when an endpoint gets a new version. */
  onChange(endpointId: string): void;
}

type InputPlace = Parameters<ReturnType<typeof createDeclaredInputs>['read']>;

/** Remembers which declared inputs were read, and compares their files. */
function createReadInputs(inputs: ReturnType<typeof createDeclaredInputs>) {
  /** By the endpoint. `version`: at the last comparison, or at the first read. */
  const known = new Map<string, { place: InputPlace; version: string }>();
  const versionOf = (template: Template, place: InputPlace): string =>
    JSON.stringify([template, inputs.version(...place)]);
  return {
    async read(endpointId: string, template: Template, place: InputPlace) {
      const before = inputs.version(...place);
      const reading = await inputs.read(...place);
      const last = known.get(endpointId);
      if (String(last?.place) !== String(place)) {
        // Others have read other files: the next comparison reports a change to them. So it does with one during this
        // read.
        const isCurrent = last === undefined && before === inputs.version(...place);
        known.set(endpointId, { place, version: isCurrent ? versionOf(template, place) : '' });
      }
      return reading;
    },
    hasChanged(endpointId: string, template: Template): boolean {
      const last = known.get(endpointId);
      if (last === undefined) return false;
      const version = versionOf(template, last.place);
      if (version === last.version) return false;
      last.version = version;
      return true;
    },
    forget: (endpointId: string) => void known.delete(endpointId),
  };
}

export function createEndpointFolders(options: EndpointFoldersOptions): EndpointFolders {
  const { endpoints, templates, driver, python, onChange } = options;
  const environments = createEnvironments(process.env, environmentChanged);
  const checks = createWorkerChecks(options);
  const inputs = createDeclaredInputs(options.workerKitDir);
  const readInputs = createReadInputs(inputs);

  function folderOf(endpointId: string): { folder: string; template: Template } {
    const template = templates.get(endpoints.get(endpointId).templateId);
    if (!isFolderTemplate(template)) {
      throw new AppError('BAD_REQUEST', 'This endpoint is made of an image, not of a folder.');
    }
    const place = folderPath(template);
    if (place.problem !== null) throw new AppError('BAD_REQUEST', place.problem);
    return { folder: place.folder, template };
  }

  /** Null for an endpoint without a valid folder. */
  function pathOf(templateId: string): string | null {
    const template = templates.get(templateId);
    const place = isFolderTemplate(template) ? folderPath(template) : null;
    return place !== null && place.problem === null ? place.folder : null;
  }

  function environmentChanged(folder: string): void {
    for (const { id, templateId } of endpoints.list()) if (pathOf(templateId) === folder) options.onProgress(id);
  }

  /** Replaces the workers of every endpoint with this folder. */
  function renewWorkers(imageName: string): void {
    for (const endpoint of endpoints.list()) {
      if (templates.get(endpoint.templateId).imageName !== imageName) continue;
      endpoints.bumpVersion(endpoint);
      onChange(endpoint.id);
    }
  }

  async function pythonFor(template: Template): Promise<string> {
    const { program, reason } = await python.find();
    if (program === null) throw new Error(reason ?? `There is no Python for ${template.name}.`);
    return program;
  }

  return {
    read: (imageName, chosenPython) => readFolder(driver, imageName, chosenPython),
    async declaredInput(endpointId) {
      const { folder, template } = folderOf(endpointId);
      const facts = await driver.inspect(template);
      return readInputs.read(endpointId, template, [folder, facts?.file ?? null, facts?.python?.program ?? null]);
    },
    changedInputs: () =>
      endpoints
        .list()
        .flatMap(({ id, templateId }) => (readInputs.hasChanged(id, templates.get(templateId)) ? [id] : [])),
    environment: (endpointId) => environments.state(folderOf(endpointId).folder),
    stopEnvironment: async (endpointId) => environments.cancel(folderOf(endpointId).folder),
    makeEnvironment(endpointId) {
      const { folder, template } = folderOf(endpointId);
      return environments.make(
        folder,
        () => pythonFor(template),
        () => renewWorkers(template.imageName),
      );
    },
    checked: (endpointId) => checks.state(endpointId, folderOf(endpointId).folder),
    stopCheck: (endpointId) => checks.stop(endpoints.get(endpointId).id),
    check(endpointId) {
      const { folder, template } = folderOf(endpointId);
      return checks.start(endpointId, folder, template.env);
    },
    async testsVersions() {
      const versions = endpoints.list().map(async ({ id, templateId }) => {
        const folder = pathOf(templateId);
        return [id, folder === null ? NO_TESTS : await testsVersion(folder)] as const;
      });
      return new Map(await Promise.all(versions));
    },
    forget(endpointId) {
      checks.forget(endpointId);
      readInputs.forget(endpointId);
    },
    stop: environments.stop,
  };
}
