/** How the person looks at the GPU types: filters, number of GPUs and order, which stay over a reload. */
import * as z from 'zod';
import { asJson, personalSetting } from '../../state/personalSetting.ts';
import { everything, sortings } from './gpuRows.ts';

const viewSchema = z.object({
  filter: z.object({
    text: z.string(),
    memory: z.number(),
    stock: z.enum(['any', 'there']),
    most: z.number().nullable(),
  }),
  count: z.int().min(1),
  sort: z.object({ by: z.enum(sortings), up: z.boolean() }),
});

export const gpuView = personalSetting('gpus.view', asJson(viewSchema), {
  filter: everything,
  count: 1,
  sort: { by: 'perGpu', up: true },
});
