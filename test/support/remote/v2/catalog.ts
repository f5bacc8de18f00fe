/** What can be rented at the fake, as the catalogue of REST v2 tells it. */
import type { RemoteAccount } from '../records.ts';
import { notFound, type RemoteCall } from '../wire.ts';

const cpus = [
  { id: 'cpu3c', name: 'Compute-Optimized', group: 'Gen 3', ramGbPerVcpu: 2, price: 0.03 },
  { id: 'cpu5c', name: 'Compute-Optimized', group: 'Gen 5', ramGbPerVcpu: 2, price: 0.035 },
];
const dataCenters = [
  { id: 'US-KS-2', name: 'Kansas', region: 'NORTH_AMERICA' },
  { id: 'EU-RO-1', name: 'Romania', region: 'EUROPE' },
];

export function catalogV2(account: RemoteAccount, { path, query }: RemoteCall): object {
  const [, what, id] = path;
  const withStock = query.get('include') === 'AVAILABILITY' && query.has('product');
  const gpus = account.gpus.map((gpu) => ({
    id: gpu.id,
    name: gpu.name,
    pool: gpu.pool,
    manufacturer: gpu.manufacturer,
    memory: gpu.memory,
    secure: true,
    community: gpu.community > 0,
    maxCount: { secure: 8, community: 4 },
    price: { secure: gpu.secure, community: gpu.community, ...(gpu.pool && { serverless: gpu.serverless }) },
    ...(withStock && {
      availability: gpu.stock,
      dataCenters: [{ id: 'US-KS-2', name: 'Kansas', availability: gpu.stock }],
    }),
  }));
  const flavors = cpus.map(({ price, ...cpu }) => ({
    ...cpu,
    vcpu: { min: 2, max: 32 },
    price: { securePerVcpu: price, serverlessPerVcpu: price * 1.2 },
    ...(withStock && { availability: 'HIGH' }),
  }));
  const centers = dataCenters.map((center) => ({
    ...center,
    globalNetwork: true,
    networkVolumeTypes: ['STANDARD'],
    compliance: ['SOC_2_TYPE_2'],
  }));
  const one = (list: readonly { id: string }[], name: string): object => {
    if (id === undefined) return { [name]: list };
    const record = list.find((entry) => entry.id === id);
    if (!record) throw notFound('resource');
    return record;
  };
  if (what === 'gpus') return one(gpus, 'gpus');
  if (what === 'cpus') return one(flavors, 'cpus');
  if (what === 'datacenters') return one(centers, 'dataCenters');
  if (what === 'templates') return { templates: [] };
  throw notFound('resource');
}
