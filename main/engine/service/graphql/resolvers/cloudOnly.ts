/**
 * Fields of the GraphQL API that only the cloud has: its Hub, its models, Flash apps and clusters. Public tools select
 * them beside others, and a missing field fails the whole query. Queries answer nothing; mutations are refused.
 */
import { GraphQLError } from 'graphql';
import { AppError } from '#contract/core/errors.ts';
import type { GraphqlPart } from '../schema.ts';
import { clusterTypes, flashTypes, hubTypes, modelTypes } from './cloudOnlyTypes.ts';

const flashMutations = [
  'createFlashApp',
  'deleteFlashApp',
  'createFlashEnvironment',
  'updateFlashEnvironment',
  'deleteFlashEnvironment',
  'addEndpointToFlashEnvironment',
  'addNetworkVolumeToFlashEnvironment',
  'prepareFlashArtifactUpload',
  'finalizeFlashArtifactUpload',
  'updateFlashBuildManifest',
  'deployBuildToEnvironment',
  'createFlashAuthRequest',
];
const modelMutations = [
  'addModelToRepo',
  'removeModelFromRepo',
  'createModelRepoUpload',
  'completeModelRepoUpload',
  'updateModelVersionStatus',
];

const each = (names: readonly string[], answer: () => unknown): Record<string, () => unknown> =>
  Object.fromEntries(names.map((name) => [name, answer]));

function refuse(noun: string): never {
  throw new AppError('UNSUPPORTED', `This machine has no ${noun}: they are a service of the cloud.`);
}

export function cloudOnlyOperations(): GraphqlPart {
  const none = () => [];
  return {
    types: [hubTypes, modelTypes, flashTypes, clusterTypes].join('\n'),
    withoutKey: ['listings', 'listing', 'listingFromRepo'],
    queries: { listings: none, myModels: none },
    mutations: {
      ...each(flashMutations, () => refuse('Flash apps')),
      ...each(modelMutations, () => ({ success: false, message: 'This machine has no repository of models.' })),
      createCluster: () => refuse('clusters'),
      deleteCluster(): never {
        // Tools compare the code, which the service spells like this.
        throw new GraphQLError('Cluster not found', { extensions: { code: 'Cluster not found' } });
      },
    },
    user: { flashApps: none },
  };
}
