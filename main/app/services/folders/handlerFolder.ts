/** Finds the folder of this computer that the workers of an endpoint run. */
import { fileURLToPath } from 'node:url';
import { FILE_IMAGE_PREFIX } from '#contract/api/resources.ts';
import { AppError } from '#contract/core/errors.ts';
import type { ManagementApi } from '../../compute/management.ts';

/**
 * The absolute path of the folder of an endpoint. Rejects with NOT_FOUND for an unknown endpoint, and for one that runs
 * an image. `management`: of the engine of this computer.
 */
export async function handlerFolder(
  management: Pick<ManagementApi, 'endpoint' | 'templates'>,
  endpointId: string,
): Promise<string> {
  const [{ name, templateId }, templates] = await Promise.all([
    management.endpoint(endpointId),
    management.templates(),
  ]);
  const imageName = templates.find(({ id }) => id === templateId)?.imageName;
  if (imageName?.startsWith(FILE_IMAGE_PREFIX) === true) return fileURLToPath(imageName);
  throw new AppError('NOT_FOUND', `The endpoint "${name}" runs an image: it has no folder on this computer.`);
}
