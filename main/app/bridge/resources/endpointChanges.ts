/**
 * Creates, changes and removes an endpoint together with its template: both requests succeed, or neither takes effect.
 */
import { toAppError } from '#contract/core/errors.ts';
import type { EndpointChange, NewEndpoint } from '#contract/app/endpointReadModels.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import { partialChange } from '../../platform/partialChange.ts';
import type { ComputeApi } from '../../services/directory.ts';

type Management = ComputeApi['management'];

/**
 * Reverts the first of two requests after the second one failed with `thrown`. Returns the error for the person:
 * `thrown` if the revert succeeds, otherwise an error that also contains `remains`, the part that is left.
 */
async function rollBack(thrown: unknown, revert: () => Promise<unknown>, remains: string): Promise<unknown> {
  try {
    await revert();
    return thrown;
  } catch (failure) {
    const state = `${remains} Undoing that failed: ${toAppError(failure).message}`;
    return partialChange(thrown, state, new AggregateError([thrown, failure]));
  }
}

/**
 * Creates a template and its endpoint. Removes the template again if the endpoint cannot be created. Rejects with the
 * reason.
 */
export async function createEndpoint(
  management: Pick<Management, 'createTemplate' | 'createEndpoint' | 'deleteTemplate' | 'deploy'>,
  { template, endpoint }: NewEndpoint,
): Promise<{ endpointId: string }> {
  if (management.deploy) return { endpointId: (await management.deploy(template, endpoint)).id };
  const made = await management.createTemplate(template);
  try {
    const { id } = await management.createEndpoint({ ...endpoint, templateId: made.id });
    return { endpointId: id };
  } catch (thrown) {
    const remains = `Its new template "${made.name}" remains.`;
    throw await rollBack(thrown, () => management.deleteTemplate(made.id), remains);
  }
}

/** The earlier values of the changed fields. */
function before(change: EndpointChange['endpoint'], endpoint: Endpoint): EndpointChange['endpoint'] {
  return Object.fromEntries(Object.entries(endpoint).filter(([field]) => field in change));
}

const isNothing = (change: object): boolean => Object.keys(change).length === 0;

/**
 * Changes an endpoint and its template. The endpoint is first, because its rules are the most likely to fail. If the
 * change of the template fails, the endpoint is changed back. Rejects with the reason, which also names a part that
 * stays changed.
 */
export async function updateEndpoint(
  management: Pick<Management, 'endpoint' | 'updateEndpoint' | 'updateTemplate'>,
  endpointId: string,
  change: EndpointChange,
): Promise<void> {
  const endpoint = await management.endpoint(endpointId);
  if (!isNothing(change.endpoint)) await management.updateEndpoint(endpointId, change.endpoint);
  if (isNothing(change.template)) return;
  try {
    await management.updateTemplate(endpoint.templateId, change.template);
  } catch (thrown) {
    if (isNothing(change.endpoint)) throw thrown;
    const previous = before(change.endpoint, endpoint);
    const remains = 'The new settings of the endpoint itself are saved, those of its template are not.';
    throw await rollBack(thrown, () => management.updateEndpoint(endpointId, previous), remains);
  }
}

/**
 * Removes an endpoint, and its template if `withTemplate` is true. `templateKept`: why that template could not be
 * removed; otherwise null.
 */
export async function removeEndpoint(
  management: Pick<Management, 'endpoint' | 'deleteEndpoint' | 'deleteTemplate'>,
  endpointId: string,
  withTemplate: boolean,
): Promise<{ templateKept: string | null }> {
  const { templateId } = await management.endpoint(endpointId);
  await management.deleteEndpoint(endpointId);
  if (!withTemplate) return { templateKept: null };
  try {
    await management.deleteTemplate(templateId);
    return { templateKept: null };
  } catch (thrown) {
    return { templateKept: toAppError(thrown).message };
  }
}
