/** Bodies that REST v2 takes: unknown fields are refused, each by its name. */
import * as z from 'zod';
import { Refusal, type RemoteCall } from '../wire.ts';

const container = {
  args: z.string().optional(),
  cmd: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  disk: z.int().min(1).optional(),
  env: z.record(z.string(), z.string()).optional(),
  image: z.string().optional(),
  ports: z.array(z.string().regex(/^\d{1,5}\/(http|tcp)$/)).optional(),
  registry: z.string().nullable().optional(),
};
const persistent = z.strictObject({ size: z.int().min(10), path: z.string() });
const mounts = z.strictObject({
  persistent: persistent.optional(),
  network: z
    .array(z.strictObject({ volumeId: z.string(), path: z.string() }))
    .max(1)
    .optional(),
});
const name = z.string().min(1);
const cuda = z.string().regex(/^\d+\.\d+$/);
const cpu = z.strictObject({
  id: z.string().min(1),
  vcpuCount: z
    .int()
    .min(2)
    .refine((count) => (count & (count - 1)) === 0, 'must be a power of two'),
});

export const podCreate = z.strictObject({
  ...container,
  name,
  cloud: z.enum(['SECURE', 'COMMUNITY']).default('SECURE'),
  cpu: cpu.optional(),
  gpu: z
    .strictObject({
      id: z.string(),
      count: z.int().min(1).default(1),
      allowedCudaVersions: z.array(cuda).optional(),
      minCudaVersion: cuda.optional(),
    })
    .optional(),
  dataCenterIds: z.array(z.string()).optional(),
  globalNetworking: z.boolean().default(false),
  mounts: mounts.optional(),
  startJupyter: z.boolean().default(false),
  startSsh: z.boolean().default(false),
  templateId: z.string().min(1).optional(),
});
export const podChange = z.strictObject({
  ...container,
  name: name.optional(),
  locked: z.boolean().optional(),
  globalNetworking: z.boolean().optional(),
  mounts: mounts.optional(),
  templateId: z.string().optional(),
});
export const podAction = z.strictObject({ action: z.enum(['start', 'stop', 'restart', 'terminate']) });

const endpointGpu = {
  excludedTypes: z.array(z.string()).optional(),
  count: z.int().min(1).optional(),
  allowedCudaVersions: z.array(cuda).optional(),
};
const pools = z.array(z.string()).min(1);
const newEndpointGpu = z.strictObject({ ...endpointGpu, pools, minCudaVersion: cuda.optional() });
const changedEndpointGpu = z
  .strictObject({ ...endpointGpu, pools: pools.optional(), minCudaVersion: cuda.or(z.literal('')).optional() })
  .refine((gpu) => gpu.excludedTypes === undefined || gpu.pools !== undefined, 'excludedTypes requires pools');
const workers = z.strictObject({
  min: z.int().min(0).optional(),
  max: z.int().min(0).optional(),
  idleTimeout: z.int().min(1).max(3600).optional(),
});
const scaling = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('QUEUE_DELAY'), queueDelay: z.number().min(0.5) }),
  z.strictObject({ type: z.literal('REQUEST_COUNT'), requestCount: z.int().min(1) }),
]);
const endpointFields = {
  ...container,
  cpu: z.array(cpu).min(1).optional(),
  dataCenterIds: z.array(z.string()).optional(),
  flashboot: z.enum(['OFF', 'FLASHBOOT', 'PRIORITY_FLASHBOOT']).optional(),
  networkVolumes: z.array(z.string()).optional(),
  templateId: z.string().min(1).optional(),
  timeout: z.int().optional(),
  workers: workers.optional(),
};
export const endpointCreate = z.strictObject({
  ...endpointFields,
  gpu: newEndpointGpu.optional(),
  name,
  scaling,
  type: z.enum(['QUEUE', 'LOAD_BALANCER']),
});
export const endpointChange = z.strictObject({
  ...endpointFields,
  gpu: changedEndpointGpu.optional(),
  name: name.optional(),
  scaling: scaling.optional(),
});

const templateFields = {
  ...container,
  allowedCudaVersions: z.array(cuda).optional(),
  category: z.enum(['CPU', 'NVIDIA', 'AMD']).optional(),
  mounts: z.strictObject({ persistent: persistent.optional() }).optional(),
  public: z.boolean().optional(),
  serverless: z.boolean().optional(),
  startJupyter: z.boolean().optional(),
  startSsh: z.boolean().optional(),
};
export const templateCreate = z.strictObject({ ...templateFields, name, image: z.string().min(1) });
export const templateChange = z.strictObject({ ...templateFields, name: name.optional() });

const size = z.int().min(10).max(4096);
export const volumeCreate = z.strictObject({
  name,
  size,
  dataCenter: z.string().min(1),
  type: z.enum(['STANDARD', 'HIGH_PERFORMANCE']).optional(),
});
export const volumeChange = z.strictObject({ name: name.optional(), size: size.optional() });
export const registryCreate = z.strictObject({
  name,
  username: z.string().min(1),
  password: z.string().min(1),
});
export const sshKeys = z.strictObject({ keys: z.array(z.string().regex(/^(ssh|ecdsa|sk)-[^\s]+ [^\s]+/)) });

/** The body as the schema has it, or a 422 that lists what is wrong with it. */
export function bodyOf<S extends z.ZodType>(request: RemoteCall, schema: S): z.output<S> {
  const read = schema.safeParse(request.json());
  if (read.success) return read.data;
  const errors = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `unexpected property: ${[...issue.path, key].join('.')}`)
      : [`${issue.path.join('.')}: ${issue.message}`],
  );
  throw new Refusal(422, 'Request validation failed.', { errors });
}

/** What of `given` was said. */
export const containerFrom = (body: z.infer<typeof podChange> | z.infer<typeof endpointChange>) =>
  Object.fromEntries(
    (
      [
        ['image', body.image],
        ['args', body.args ?? body.cmd?.join(' ')],
        ['entrypoint', body.entrypoint],
        ['disk', body.disk],
        ['env', body.env],
        ['ports', body.ports],
        ['registryId', body.registry === null ? '' : body.registry],
      ] as const
    ).filter(([, value]) => value !== undefined),
  );
