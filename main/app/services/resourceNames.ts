/** Keeps the names of what the lists of an account bring. */
import type { ComputeApi } from '../compute/computeApi.ts';
import type { NamedResource } from '../ledger/rows/resourceNames.ts';

/** The same client, which passes the names of the Pods, endpoints and volumes that it lists or makes to `note`. */
export function notingNames(compute: ComputeApi, note: (resources: readonly NamedResource[]) => void): ComputeApi {
  const noted = <T extends NamedResource[]>(resources: T): T => {
    note(resources);
    return resources;
  };
  const { pods, management } = compute;
  return {
    ...compute,
    pods: {
      ...pods,
      list: async () => noted(await pods.list()),
      async rows() {
        const answer = await pods.rows();
        note(answer.rows.map(({ pod }) => pod));
        return answer;
      },
      async create(input) {
        const made = await pods.create(input);
        note([made]);
        return made;
      },
    },
    management: {
      ...management,
      endpoints: async () => noted(await management.endpoints()),
      volumes: async () => noted(await management.volumes()),
    },
  };
}
