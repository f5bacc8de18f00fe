/** Pausing over HTTP: a person gives their machine's work a rest, and resumes it. */
import { pauseRequestSchema } from '#contract/machine.ts';
import type { ApiKeys } from '../domain/apiKeys.ts';
import type { Pausing } from '../domain/pausing.ts';
import { authorize, type Need } from './auth.ts';
import type { Api } from './server.ts';

export interface PauseRoutesOptions {
  keys: ApiKeys;
  pausing: Pick<Pausing, 'state' | 'pause' | 'resume'>;
}

export function registerPauseRoutes(api: Api, { keys, pausing }: PauseRoutesOptions): void {
  const needs = (need: Need) => ({
    onRequest: async (request: { raw: Parameters<typeof authorize>[0] }): Promise<void> => {
      authorize(request.raw, keys, need, null);
    },
  });
  api.get('/local/v1/pause', needs('read'), async () => pausing.state());
  api.post('/local/v1/pause', { ...needs('all'), schema: { body: pauseRequestSchema } }, async ({ body }) =>
    pausing.pause(body),
  );
  api.delete('/local/v1/pause', needs('all'), async () => pausing.resume());
}
