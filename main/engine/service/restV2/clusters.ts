/** Clusters in REST v2: they join machines, and an engine is one. */
import * as z from 'zod';
import { operation, refused, type RestV2Operation } from './protocol/operation.ts';

const NO_CLUSTERS = 'A cluster joins several machines, and this engine is one. Make Pods instead.';

export function clusterOperations(): RestV2Operation[] {
  const group = 'Clusters';
  const one = '/clusters/{id}';
  return [
    operation({
      method: 'get',
      path: '/clusters',
      id: 'listClusters',
      group,
      need: 'read',
      summary: 'Lists clusters; there are none here.',
      answers: {
        200: {
          words: 'An empty list.',
          shape: { name: 'ListClustersResponse', schema: z.object({ clusters: z.array(z.never()) }) },
        },
      },
      run: () => ({ clusters: [] }),
    }),
    refused({ method: 'post', path: '/clusters', id: 'createCluster', group, need: 'all' }, NO_CLUSTERS),
    refused({ method: 'get', path: one, id: 'getCluster', group, need: 'read' }, NO_CLUSTERS),
    refused({ method: 'patch', path: one, id: 'updateCluster', group, need: 'all' }, NO_CLUSTERS),
    refused({ method: 'delete', path: one, id: 'deleteCluster', group, need: 'all' }, NO_CLUSTERS),
    refused({ method: 'get', path: `${one}/pods`, id: 'listClusterPods', group, need: 'read' }, NO_CLUSTERS),
  ];
}
