/** Billing history under /v1/billing. */
import { endpointBillingQuerySchema, podBillingQuerySchema, volumeBillingQuerySchema } from '#contract/api/billing.ts';
import type { Billing } from '../../domain/billing/report.ts';
import { needs } from '../access/routeAccess.ts';
import type { Api } from '../access/api.ts';

export function registerBillingRoutes(api: Api, { billing }: { billing: Billing }): void {
  const read = needs('read');
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
