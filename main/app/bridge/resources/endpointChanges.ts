/** Makes, changes and removes endpoints together with their templates: two requests that become one or none. */
import { toAppError } from '#contract/core/errors.ts';
import type { EndpointChange, NewEndpoint } from '#contract/app/endpointReadModels.ts';
import type { ComputeApi } from '../../services/directory.ts';

type Management = ComputeApi['management'];

/** The template is removed again when the endpoint cannot be made; what stood in the way is what is thrown. */
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
    // A template that stays behind does no harm; the reason is what a person must see.
    await management.deleteTemplate(made.id).catch(() => undefined);
    throw thrown;
  }
}

/** What the changed fields were before. */
function before<Change extends object>(change: Change, record: object): Change {
  const old = record as Record<string, unknown>;
  return Object.fromEntries(Object.keys(change).map((field) => [field, old[field]])) as Change;
}

const isNothing = (change: object): boolean => Object.keys(change).length === 0;

/** Changes the endpoint first: it has the rules that are broken most easily. It is set back when its template cannot follow. */
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
    if (!isNothing(change.endpoint)) {
      await management.updateEndpoint(endpointId, before(change.endpoint, endpoint)).catch(() => undefined);
    }
    throw thrown;
  }
}

/** Answers why the template is still there, where it was to go and could not. */
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
