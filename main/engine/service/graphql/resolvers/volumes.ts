/** Network volumes, container registry auths and the one region that this machine is, in the GraphQL API. */
import { LOCAL_DATA_CENTER, LOCAL_DATA_CENTER_NAME } from '#contract/core/cloudNames.ts';
import { AppError } from '#contract/core/errors.ts';
import {
  registryAuthCreateSchema,
  volumeCreateSchema,
  volumeUpdateSchema,
  type NetworkVolume,
} from '#contract/api/resources.ts';
import { PERSON } from '../../../domain/access/owner.ts';
import type { Management } from '../../../domain/resources/resourceService.ts';
import type { RegistryAuths } from '../../../domain/resources/registryAuths.ts';
import type { Volumes } from '../../../domain/resources/volumes.ts';
import type { GraphqlPart } from '../schema.ts';
import { omitNull } from '../values.ts';
import { validate } from '../../http/validate.ts';

const types = /* GraphQL */ `
  type NetworkVolume {
    id: String!
    name: String!
    "GB."
    size: Int
    dataCenterId: String
    dataCenter: DataCenter
  }
  "Credentials for private images. What is secret is never told."
  type ContainerRegistryAuth {
    id: String!
    name: String!
    userId: String
    "Null here."
    registryAuth: String
  }

  input CreateNetworkVolumeInput {
    name: String
    size: Int
    dataCenterId: String
  }
  input UpdateNetworkVolumeInput {
    id: String!
    name: String
    size: Int
  }
  input DeleteNetworkVolumeInput {
    id: String!
  }
  input SaveRegistryAuthInput {
    name: String!
    username: String!
    password: String!
  }
  input UpdateRegistryAuthInput {
    id: String!
    username: String!
    password: String!
  }

  extend type Mutation {
    createNetworkVolume(input: CreateNetworkVolumeInput): NetworkVolume
    updateNetworkVolume(input: UpdateNetworkVolumeInput): NetworkVolume
    deleteNetworkVolume(input: DeleteNetworkVolumeInput): Void
    saveRegistryAuth(input: SaveRegistryAuthInput): ContainerRegistryAuth
    updateRegistryAuth(input: UpdateRegistryAuthInput): ContainerRegistryAuth
    deleteRegistryAuth(registryAuthId: String): Void
  }
  extend type User {
    networkVolumes: [NetworkVolume!]
    containerRegistryCreds: [ContainerRegistryAuth!]
  }
`;

interface Parts {
  volumes: Volumes;
  registryAuths: RegistryAuths;
  management: Management;
}

type Input<T> = { input?: T | null };
interface WithId {
  id: string;
}

function needed<T>(input: T | null | undefined): T {
  if (input) return input;
  throw new AppError('BAD_REQUEST', 'input is needed.');
}

/** The region is optional here: every volume is on this machine. */
const newVolumeSchema = volumeCreateSchema.partial({ dataCenterId: true });

/** A volume with its region. `dataCenters` has the GPUs of this machine. */
export const volumeView = (volume: NetworkVolume) => {
  const { dataCenterId: id } = volume;
  const name = id === LOCAL_DATA_CENTER ? LOCAL_DATA_CENTER_NAME : id;
  return { ...volume, dataCenter: { id, name, listed: true, storageSupport: true, gpuAvailability: [] } };
};

export function volumeOperations({ volumes, registryAuths, management }: Parts): GraphqlPart {
  const authView = (auth: { id: string; name: string }) => ({ ...auth, userId: PERSON, registryAuth: null });
  return {
    types,
    mutations: {
      createNetworkVolume({ input }: Input<object>) {
        const { dataCenterId = LOCAL_DATA_CENTER, ...volume } = validate(
          newVolumeSchema,
          omitNull(needed(input)),
          'input',
        );
        return volumeView(volumes.create({ ...volume, dataCenterId }));
      },
      updateNetworkVolume({ input }: Input<WithId>) {
        const { id, ...change } = needed(input);
        return volumeView(volumes.update(id, validate(volumeUpdateSchema, omitNull(change), 'input')));
      },
      deleteNetworkVolume: ({ input }: Input<WithId>) => management.deleteVolume(needed(input).id),
      saveRegistryAuth: ({ input }: Input<object>) =>
        authView(registryAuths.create(validate(registryAuthCreateSchema, needed(input), 'input'))),
      updateRegistryAuth({ input }: Input<WithId>) {
        const { id, ...credentials } = needed(input);
        const schema = registryAuthCreateSchema.omit({ name: true });
        return authView(registryAuths.replace(id, validate(schema, credentials, 'input')));
      },
      deleteRegistryAuth({ registryAuthId }: { registryAuthId?: string | null }) {
        management.deleteRegistryAuth(registryAuthId ?? '');
      },
    },
    user: {
      networkVolumes: () => volumes.list().map(volumeView),
      containerRegistryCreds: () => registryAuths.list().map(authView),
    },
  };
}
