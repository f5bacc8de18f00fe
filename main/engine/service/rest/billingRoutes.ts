/** Billing history under /v1/billing. */
import * as z from 'zod';
import {
  billingRecordSchema,
  bucketSizes,
  endpointBillingQuerySchema,
  podBillingQuerySchema,
  volumeBillingQuerySchema,
  volumeBillingRecordSchema,
} from '#contract/api/billing.ts';
import { cloudDataCenters, dataCenters } from '#contract/core/cloudNames.ts';
import type { Billing } from '../../domain/billing/report.ts';
import type { Api } from '../access/api.ts';
import { several } from '../openapi/queryParameters.ts';
import { named, operation } from '../openapi/operation.ts';

const period = {
  bucketSize: { schema: z.enum(bucketSizes).default('day'), words: 'How long each record is.' },
  startTime: 'From when on.',
  endTime: 'Until when.',
};
const GROUPING = 'What each record is of.';
const RECORDS = 'The records, oldest first.';
const recordShape = named('BillingRecord', billingRecordSchema);
const volumeRecordShape = named('NetworkVolumeBillingRecord', volumeBillingRecordSchema);
const read = { group: 'billing', need: 'read', refusals: ['BAD_REQUEST'] } as const;

export function registerBillingRoutes(api: Api, { billing }: { billing: Billing }): void {
  api.get(
    '/v1/billing/pods',
    operation({
      ...read,
      id: 'PodBilling',
      summary: 'Tells what Pods cost.',
      querystring: podBillingQuerySchema,
      query: {
        ...period,
        grouping: GROUPING,
        podId: 'Only this Pod.',
        gpuTypeId: { schema: z.string(), words: 'Only this GPU type; of several there are commas between them.' },
      },
      answers: { 200: { words: RECORDS, shape: { listOf: recordShape } } },
    }),
    async ({ query }) => billing.pods(query),
  );
  api.get(
    '/v1/billing/endpoints',
    operation({
      ...read,
      id: 'EndpointBilling',
      summary: 'Tells what workers of endpoints cost.',
      querystring: endpointBillingQuerySchema,
      query: {
        ...period,
        grouping: GROUPING,
        endpointId: 'Only this endpoint.',
        templateId: 'Only endpoints of this template.',
        imageName: 'Only endpoints of this image.',
        gpuTypeId: several('Only these GPU types.'),
        dataCenterId: {
          schema: z.array(z.enum(dataCenters)).default(cloudDataCenters),
          words: 'Only these regions; all there is here is on this machine.',
        },
      },
      answers: { 200: { words: RECORDS, shape: { listOf: recordShape } } },
    }),
    async ({ query }) => billing.endpoints(query),
  );
  api.get(
    '/v1/billing/networkvolumes',
    operation({
      ...read,
      id: 'NetworkVolumeBilling',
      summary: 'Tells what network volumes cost.',
      querystring: volumeBillingQuerySchema,
      query: {
        ...period,
        networkVolumeId: 'Of ours: only this network volume.',
        grouping: 'Of ours: each volume by itself; else all of them together.',
      },
      answers: { 200: { words: RECORDS, shape: { listOf: volumeRecordShape } } },
    }),
    async ({ query }) => billing.volumes(query),
  );
}
