/** Billing history as a table: what /v1/openapi.json and /v1/docs tell of it. */
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
import type { Operation, QueryParameter } from '../document.ts';

export const billingAnswers = {
  BillingRecord: billingRecordSchema,
  NetworkVolumeBillingRecord: volumeBillingRecordSchema,
};
type Name = keyof typeof billingAnswers;

const text = (words: string): QueryParameter => ({ schema: z.string(), words });
const several = (words: string): QueryParameter => ({ schema: z.array(z.string()), words });
const period = {
  bucketSize: { schema: z.enum(bucketSizes).default('day'), words: 'How long each record is.' },
  startTime: { schema: z.iso.datetime({ offset: true }), words: 'From when on.' },
  endTime: { schema: z.iso.datetime({ offset: true }), words: 'Until when.' },
};
const GROUPING = 'What each record is of.';

export const billingOperations: readonly Operation<Name>[] = [
  {
    methods: ['get'],
    path: '/v1/billing/pods',
    id: 'PodBilling',
    group: 'billing',
    need: 'read',
    summary: 'Tells what Pods cost.',
    query: {
      ...period,
      grouping: { schema: podBillingQuerySchema.shape.grouping, words: GROUPING },
      podId: text('Only this Pod.'),
      gpuTypeId: text('Only this GPU type; of several there are commas between them.'),
    },
    answers: { 200: { words: 'The records, oldest first.', shape: { listOf: 'BillingRecord' } } },
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['get'],
    path: '/v1/billing/endpoints',
    id: 'EndpointBilling',
    group: 'billing',
    need: 'read',
    summary: 'Tells what workers of endpoints cost.',
    query: {
      ...period,
      grouping: { schema: endpointBillingQuerySchema.shape.grouping, words: GROUPING },
      endpointId: text('Only this endpoint.'),
      templateId: text('Only endpoints of this template.'),
      imageName: text('Only endpoints of this image.'),
      gpuTypeId: several('Only these GPU types.'),
      dataCenterId: {
        schema: z.array(z.enum(dataCenters)).default(cloudDataCenters),
        words: 'Only these regions; all there is here is on this machine.',
      },
    },
    answers: { 200: { words: 'The records, oldest first.', shape: { listOf: 'BillingRecord' } } },
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['get'],
    path: '/v1/billing/networkvolumes',
    id: 'NetworkVolumeBilling',
    group: 'billing',
    need: 'read',
    summary: 'Tells what network volumes cost.',
    query: {
      ...period,
      networkVolumeId: text('Of ours: only this network volume.'),
      grouping: {
        schema: volumeBillingQuerySchema.shape.grouping,
        words: 'Of ours: each volume by itself; else all of them together.',
      },
    },
    answers: { 200: { words: 'The records, oldest first.', shape: { listOf: 'NetworkVolumeBillingRecord' } } },
    refusals: ['BAD_REQUEST'],
  },
];
