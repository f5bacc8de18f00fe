/**
 * The fields of GraphQL that only the cloud has a meaning for: nothing is found, and what would change something is
 * refused to who may ask.
 */
import type { FieldCase } from './graphql.ts';

const read = (selection: string, need: FieldCase['need'] = 'read'): FieldCase => ({ need, asked: () => selection });
const refused = (selection: string): FieldCase => ({ need: 'all', asked: () => selection, changesNothing: true });

const nothing = ['flashApp', 'flashAppByName', 'flashEnvironment', 'flashEnvironmentByName', 'flashBuild'];
const flash = ['createFlashApp', 'createFlashEnvironment', 'updateFlashEnvironment', 'addEndpointToFlashEnvironment'];
const flashMore = ['addNetworkVolumeToFlashEnvironment', 'finalizeFlashArtifactUpload', 'updateFlashBuildManifest'];
const flashLast = ['deployBuildToEnvironment', 'createFlashAuthRequest'];

const fields = (kind: string, names: readonly string[], row: FieldCase): Record<string, FieldCase> =>
  Object.fromEntries(names.map((name) => [`${kind} ${name}`, row]));

export const cloudOnlyFields: Readonly<Record<string, FieldCase>> = {
  ...fields('query', ['listings', 'listing', 'listingFromRepo'], read('{ id }', 'optional')),
  ...fields('query', [...nothing, 'flashAuthRequestStatus', 'myModels', 'myModel'], read('{ id }')),
  ...fields('mutation', [...flash, ...flashMore, ...flashLast, 'createCluster'], refused('{ id }')),
  ...fields('mutation', ['deleteFlashApp', 'deleteFlashEnvironment', 'deleteCluster'], refused('')),
  'mutation prepareFlashArtifactUpload': refused('{ objectKey }'),
  'mutation addModelToRepo': refused('(input: { name: "m" }) { success }'),
  'mutation removeModelFromRepo': refused('(input: { name: "m" }) { success }'),
  'mutation createModelRepoUpload': refused('(input: { name: "m" }) { success }'),
  'mutation completeModelRepoUpload': refused('(input: { sessionId: "s" }) { success }'),
  'mutation updateModelVersionStatus': refused('(status: READY) { success }'),
};
