/** Read models of endpoints for the page: the live list, one endpoint in full, and the choices for a new one. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { EndpointChoices, EndpointDetail, EndpointRow, EndpointsNow } from '#contract/app/endpointReadModels.ts';
import { isUnsupported, toAppError } from '#contract/core/errors.ts';
import type { Machine, PauseState } from '#contract/local/machine.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import type { ComputeApi } from '../../services/directory.ts';
import { listSamples } from '../../services/samples.ts';
import { descriptionOf, sampleInputOf } from './endpoints.ts';

/** The answer of `request`, or `otherwise` if the account lacks that part of the API. */
async function whereThere<T>(request: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await request;
  } catch (thrown) {
    if (isUnsupported(thrown)) return otherwise;
    throw thrown;
  }
}

const oldestFirst = (a: Endpoint, b: Endpoint): number =>
  (Date.parse(a.createdAt) || 0) - (Date.parse(b.createdAt) || 0) || a.name.localeCompare(b.name);

export async function endpointsNow({ management, jobs, local, machine: computer }: ComputeApi): Promise<EndpointsNow> {
  const [endpoints, templates, readiness, pause] = await Promise.all([
    management.endpoints(),
    management.templates(),
    local ? local.readiness() : [],
    computer ? whereThere<PauseState | null>(computer.pauseState(), null) : null,
  ]);
  const imageOf = new Map(templates.map(({ id, imageName }) => [id, imageName]));
  const readinessOf = new Map(readiness.map((ready) => [ready.id, ready]));

  async function row(endpoint: Endpoint): Promise<EndpointRow> {
    const { id, name, type, templateId, workersMin, workersMax, idleTimeout } = endpoint;
    const healthResult = await jobs.health(id).then(
      (health) => ({ health, healthProblem: null }),
      // A failed request for one endpoint, for example one that was just deleted, hides no other endpoint.
      (thrown: unknown) => ({ health: null, healthProblem: toAppError(thrown).message }),
    );
    return {
      id,
      name,
      type,
      templateId,
      workersMin,
      workersMax,
      idleTimeout,
      imageName: imageOf.get(templateId) ?? null,
      readiness: readinessOf.get(id) ?? null,
      ...healthResult,
    };
  }
  return { rows: await Promise.all(endpoints.toSorted(oldestFirst).map(row)), pause };
}

export async function endpointDetail({ management }: ComputeApi, endpointId: string): Promise<EndpointDetail> {
  const [endpoint, endpoints, templates] = await Promise.all([
    management.endpoint(endpointId),
    management.endpoints(),
    management.templates(),
  ]);
  const { templateId } = endpoint;
  const template = templates.find(({ id }) => id === templateId) ?? null;
  return {
    endpoint,
    template,
    templateSharedWith: endpoints
      .filter((other) => other.templateId === templateId && other.id !== endpointId)
      .map(({ name }) => name),
    sampleInput: template?.readme ? sampleInputOf(template.readme) : null,
  };
}

function gpuTypesOf({ gpus }: Machine): NonNullable<EndpointChoices['gpuTypes']> {
  const types = new Map<string, { id: string; count: number; memoryBytes: number }>();
  for (const { typeId, memoryBytes } of gpus) {
    const type = types.get(typeId) ?? { id: typeId, count: 0, memoryBytes };
    types.set(typeId, { ...type, count: type.count + 1 });
  }
  return [...types.values()];
}

const imageProblemOf = ({ containers }: Machine): string | null =>
  containers.available ? null : (containers.problem ?? 'No container engine answers there, and images run in one.');

export async function endpointChoices(
  accountId: string,
  { management, machine: computer }: ComputeApi,
  resourcesDir: string,
): Promise<EndpointChoices> {
  const here = accountId === THIS_MACHINE;
  const named = ({ id, name }: { id: string; name: string }) => ({ id, name });
  const [volumes, registryAuths, machine, otherTypes, samples, endpoints, templates] = await Promise.all([
    whereThere(management.volumes(), []),
    whereThere(management.registryAuths(), []),
    computer ? whereThere<Machine | null>(computer.get(), null) : null,
    management.gpuTypes ? whereThere<EndpointChoices['gpuTypes']>(management.gpuTypes(), null) : null,
    here ? listSamples(resourcesDir) : [],
    whereThere(management.endpoints(), []),
    whereThere(management.templates(), []),
  ]);
  return {
    volumes: volumes.map(named),
    registryAuths: registryAuths.map(named),
    gpuTypes: machine ? gpuTypesOf(machine) : otherTypes,
    folders: here,
    imageProblem: machine ? imageProblemOf(machine) : null,
    samples: samples.map(({ name, readme }) => ({ name, description: descriptionOf(readme) })),
    names: [...endpoints, ...templates].map(({ name }) => name),
  };
}
