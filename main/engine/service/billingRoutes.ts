/** Billing history under /v1/billing. */
import { endpointBillingQuerySchema, podBillingQuerySchema, volumeBillingQuerySchema } from '#contract/billing.ts';
import type { ApiKeys } from '../domain/apiKeys.ts';
import type { Billing } from '../domain/billing.ts';
import { authorize } from './auth.ts';
import type { Api } from './server.ts';

export function registerBillingRoutes(api: Api, { keys, billing }: { keys: ApiKeys; billing: Billing }): void {
  const read = {
    onRequest: async (request: { raw: Parameters<typeof authorize>[0] }) => {
      authorize(request.raw, keys, 'read', null);
    },
  };
  api.get('/v1/billing/pods', { ...read, schema: { querystring: podBillingQuerySchema } }, async ({ query }) =>
    billing.pods(query),
  );
  api.get('/v1/billing/endpoints', { ...read, schema: { querystring: endpointBillingQuerySchema } }, async (request) =>
    billing.endpoints(request.query),
  );
  api.get(
    '/v1/billing/networkvolumes',
    { ...read, schema: { querystring: volumeBillingQuerySchema } },
    async (request) => billing.volumes(request.query),
  );
}
