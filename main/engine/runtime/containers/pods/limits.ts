/** Changes the limits of the existing container of a Pod, without recreating or restarting it. */
import type { Container, ContainerInspectInfo } from 'dockerode';
import { AppError } from '#contract/core/errors.ts';
import type { ComputeLimits } from '../../../domain/resources/ports.ts';
import type { ContainerEngine } from '../engine/discovery.ts';
import { isStatus } from '../engine/errorMessages.ts';
import { limitsChange } from '../engine/limits.ts';

/**
 * Gives a container these limits, whether it runs or not. Does nothing if it has them. Throws BAD_REQUEST where the container
 * engine cannot change a container.
 */
export async function fitLimits(
  engine: ContainerEngine,
  { container, info }: { container: Container; info: ContainerInspectInfo },
  wanted: ComputeLimits,
): Promise<void> {
  const change = limitsChange(wanted, engine, info.HostConfig);
  if (change === null) return;
  try {
    await container.update(change);
  } catch (error) {
    // The container exists, so it is the request that is unknown.
    if (engine.name === 'Podman' && isStatus(error, 404)) {
      const message =
        'This Podman is too old to change the limits of a container. Update Podman, or deploy the Pod again with other limits.';
      throw new AppError('BAD_REQUEST', message, { cause: error });
    }
    throw error;
  }
}
