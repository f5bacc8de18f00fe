/**
 * Every field that a GraphQL operation begins at: what a key must be good for, and a document that would do what the
 * field is for.
 */
import { accepted } from '../resources/resources.ts';
import { cloudOnlyFields } from './cloudOnlyFields.ts';
import { newAuth, newEndpoint, newTemplate, newVolume, type RouteCase, type Values } from './routes.ts';
import type { World } from './world.ts';

export interface FieldCase extends Pick<RouteCase, 'need' | 'make' | 'tellsSecrets' | 'changesNothing' | 'undo'> {
  /** What follows the name of the field. */
  readonly asked: (values: Values) => string;
}

let count = 0;
const name = (): string => `asked ${++count}`;

const open = (field: string): FieldCase => ({ need: 'optional', asked: () => field });
const read = (field: string, more: Partial<FieldCase> = {}): FieldCase => ({
  need: 'read',
  asked: () => field,
  ...more,
});
const write = (field: FieldCase['asked'], make?: RouteCase['make'], more: Partial<FieldCase> = {}): FieldCase => ({
  need: 'all',
  asked: field,
  ...(make && { make }),
  ...more,
});
/** There may be no containers here, so there are no Pods: who may is answered an error of the field. */
const ofPod = (input: string, answer = '{ id }'): FieldCase =>
  write(() => `(input: { ${input} }) ${answer}`, undefined, { changesNothing: true });

async function newSecret({ engine }: World): Promise<Values> {
  const query = `mutation { secretCreate(input: { name: "${name().replaceAll(' ', '_')}", value: "v" }) { id } }`;
  const { data } = accepted(await engine.http.post('/graphql', { query })) as {
    data: { secretCreate: { id: string } };
  };
  return { id: data.secretCreate.id };
}

const secrets = 'env { key value } template { env { key value } }';

/** By the kind of the operation and the name of the field. */
export const graphqlFields: Readonly<Record<string, FieldCase>> = {
  ...cloudOnlyFields,
  'query countryCodes': open(''),
  'mutation secretCreate': write(() => `(input: { name: "${name().replaceAll(' ', '_')}", value: "v" }) { id }`),
  'mutation secretDelete': write(({ id }) => `(id: "${id}")`, newSecret),
  'query gpuTypes': open('{ id }'),
  'query cpuTypes': open('{ id }'),
  'query cpuFlavors': open('{ id }'),
  'query dataCenters': open('{ id }'),
  'query serverlessGpuPools': open('{ id }'),
  'query myself': read(
    `{ id pubKey pods { id env } endpoints { ${secrets} } networkVolumes { id } containerRegistryCreds { id name registryAuth } }`,
    { tellsSecrets: true },
  ),
  'query pod': read('(input: { podId: "nobody" }) { id env }'),
  'query podTemplates': read('{ id env { key value } }', { tellsSecrets: true }),
  'query podTemplate': {
    need: 'read',
    tellsSecrets: true,
    make: ({ templateId }) => ({ templateId }),
    asked: ({ templateId }) => `(id: "${templateId}") { id env { key value } }`,
  },
  'mutation updateUserSettings': write(() => `(input: { pubKey: "ssh-ed25519 AAAA ${name()}" }) { id }`),
  'mutation saveTemplate': write(() => `(input: { name: "${name()}", imageName: "me/image" }) { id }`),
  'mutation deleteTemplate': write(
    ({ templateName }) => `(templateName: "${templateName}")`,
    async (world) => {
      const templateName = name();
      await world.engine.http.post('/v1/templates', { name: templateName, imageName: 'me/image' });
      return { templateName };
    },
  ),
  'mutation saveEndpoint': write(
    ({ templateId }) => `(input: { name: "${name()}", templateId: "${templateId}", workersMax: 0 }) { id }`,
    newTemplate,
  ),
  'mutation deleteEndpoint': write(({ endpointId }) => `(id: "${endpointId}")`, newEndpoint),
  'mutation updateEndpointTemplate': write(
    ({ endpointId, templateId }) => `(input: { endpointId: "${endpointId}", templateId: "${templateId}" }) { id }`,
    async (world) => ({ ...(await newEndpoint(world)), ...(await newTemplate(world)) }),
  ),
  'mutation createNetworkVolume': write(
    () => `(input: { name: "${name()}", size: 1, dataCenterId: "LOCAL-1" }) { id }`,
  ),
  'mutation updateNetworkVolume': write(({ id }) => `(input: { id: "${id}", name: "${name()}" }) { id }`, newVolume),
  'mutation deleteNetworkVolume': write(({ id }) => `(input: { id: "${id}" })`, newVolume),
  'mutation saveRegistryAuth': write(() => `(input: { name: "${name()}", username: "u", password: "p" }) { id }`),
  // What is secret is told nowhere, so nothing of it can be seen.
  'mutation updateRegistryAuth': write(
    ({ containerRegistryAuthId: id }) => `(input: { id: "${id}", username: "u", password: "q" }) { id }`,
    newAuth,
    { changesNothing: true },
  ),
  'mutation deleteRegistryAuth': write(({ containerRegistryAuthId: id }) => `(registryAuthId: "${id}")`, newAuth),
  'mutation podFindAndDeployOnDemand': ofPod('name: "none"'),
  'mutation podRentInterruptable': ofPod('name: "none", bidPerGpu: 1'),
  'mutation deployCpuPod': ofPod('name: "none"'),
  'mutation podResume': ofPod('podId: "nobody", gpuCount: 1'),
  'mutation podBidResume': ofPod('podId: "nobody", gpuCount: 1, bidPerGpu: 1'),
  'mutation podStop': ofPod('podId: "nobody"'),
  'mutation podTerminate': ofPod('podId: "nobody"', ''),
  'mutation podEditJob': ofPod(
    'podId: "nobody", imageName: "me/image", dockerArgs: "", env: [], ports: "", containerDiskInGb: 1, volumeInGb: 0, volumeMountPath: "/a"',
  ),
};
