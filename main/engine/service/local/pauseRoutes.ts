/** Pausing over HTTP: a person gives their machine's work a rest, and resumes it. */
import { pauseRequestSchema } from '#contract/local/machine.ts';
import type { Pausing } from '../../domain/pausing/pausing.ts';
import { needs } from '../access/routeAccess.ts';
import type { Api } from '../access/api.ts';

export interface PauseRoutesOptions {
  pausing: Pick<Pausing, 'state' | 'pause' | 'resume'>;
}

export function registerPauseRoutes(api: Api, { pausing }: PauseRoutesOptions): void {
  api.get('/local/v1/pause', needs('read'), async () => pausing.state());
  api.post('/local/v1/pause', { ...needs('all'), schema: { body: pauseRequestSchema } }, async ({ body }) =>
    pausing.pause(body),
  );
  api.delete('/local/v1/pause', needs('all'), async () => pausing.resume());
}
