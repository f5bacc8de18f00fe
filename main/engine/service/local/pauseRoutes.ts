/** Pausing over HTTP: a person pauses the work of this machine, and resumes it. */
import { pauseRequestSchema, pauseStateSchema } from '#contract/local/machine.ts';
import type { Pausing } from '../../domain/pausing/pausing.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';

export interface PauseRoutesOptions {
  pausing: Pick<Pausing, 'state' | 'pause' | 'resume'>;
}

const stateShape = named('PauseState', pauseStateSchema);

export function registerPauseRoutes(api: Api, { pausing }: PauseRoutesOptions): void {
  api.get(
    '/local/v1/pause',
    operation({
      id: 'pauseState',
      group: 'machine',
      need: 'read',
      summary: 'Tells whether work goes on, and what holds it back.',
      answers: { 200: { words: 'What holds work back.', shape: stateShape } },
    }),
    async () => pausing.state(),
  );
  api.post(
    '/local/v1/pause',
    operation({
      id: 'pause',
      group: 'machine',
      need: 'all',
      summary: 'Holds all work back: at once, or once the jobs that run have ended; until resumed, or for a time.',
      body: named('PauseRequest', pauseRequestSchema),
      answers: { 200: { words: 'What holds work back now.', shape: stateShape } },
    }),
    async ({ body }) => pausing.pause(body),
  );
  api.delete(
    '/local/v1/pause',
    operation({
      id: 'resume',
      group: 'machine',
      need: 'all',
      summary: 'Goes on: rules that hold just now are overruled, each until it has stopped holding.',
      answers: { 200: { words: 'What holds work back now.', shape: stateShape } },
    }),
    async () => pausing.resume(),
  );
}
