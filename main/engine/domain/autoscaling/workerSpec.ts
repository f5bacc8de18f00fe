/** The parameters of an endpoint's workers besides their template: volume, credentials for the image, ports. */
import { AppError } from '#contract/core/errors.ts';
import type { EngineEndpoint, Template } from '#contract/api/resources.ts';
import { balancedEnv, balancedPorts, portsOf } from './listenPorts.ts';
import { limitsOf } from '../resources/endpoints.ts';
import type { WorkerDriver, WorkerStart } from './ports.ts';
import type { RegistryAuths } from '../resources/registryAuths.ts';
import type { Secrets } from '../resources/secrets.ts';
import { requireReadable } from '../resources/unreadableEnv.ts';
import type { Volumes } from '../resources/volumes.ts';

export interface WorkerNeeds extends Pick<WorkerStart, 'mounts' | 'registryAuth' | 'ports' | 'limits'> {
  /** The variables of the template, with the values of secrets. */
  readonly templateEnv: Readonly<Record<string, string>>;
  /** Additional variables besides those of the worker protocol. */
  readonly env: Readonly<Record<string, string>>;
}

/** Returns a sentence for a person where a parameter is unavailable. */
export type NeedsOf = (endpoint: EngineEndpoint, template: Template) => WorkerNeeds | string;

const NO_SERVER =
  'A load-balancing endpoint passes requests on to a server, and its folder has a handler for jobs. ' +
  "Give the template a dockerStartCmd that starts an HTTP server on the port that PORT names, such as ['node', 'server.mjs'].";

export function createNeeds(
  volumes: Pick<Volumes, 'mountsOf'>,
  auths: Pick<RegistryAuths, 'credentials'>,
  secrets: Pick<Secrets, 'fillIn'>,
  runtimeOf: WorkerDriver['runtimeOf'],
): NeedsOf {
  return (endpoint, template) => {
    if (endpoint.type === 'LB' && ['node', 'python'].includes(runtimeOf(template))) return NO_SERVER;
    const balanced = endpoint.type === 'LB' ? balancedPorts(template.env) : null;
    if (typeof balanced === 'string') return balanced;
    const { containerRegistryAuthId } = template;
    const [volumeId] = endpoint.networkVolumeIds;
    try {
      requireReadable(template.env, `The template ${JSON.stringify(template.name)}`);
      return {
        mounts: volumes.mountsOf(endpoint),
        limits: limitsOf(endpoint),
        registryAuth: containerRegistryAuthId === '' ? null : auths.credentials(containerRegistryAuthId),
        ports: balanced ? portsOf(balanced) : [],
        templateEnv: secrets.fillIn(template.env),
        env: {
          ...(volumeId === undefined ? {} : { RUNPOD_VOLUME_ID: volumeId }),
          ...(balanced ? balancedEnv(balanced) : {}),
        },
      };
    } catch (error) {
      if (error instanceof AppError) return error.message;
      throw error;
    }
  };
}
