/** How a person signs in to a Pod over SSH, under /local/v1. */
import * as z from 'zod';
import { podSshSchema } from '#contract/local/ssh/podSsh.ts';
import type { PodSsh } from '../../../domain/terminals/ports.ts';
import type { Api } from '../../access/api.ts';
import { named, operation } from '../../openapi/operation.ts';

export function registerSshRoute(api: Api, { ssh }: { ssh: PodSsh }): void {
  api.get(
    '/local/v1/pods/:podId/ssh',
    operation({
      id: 'podSsh',
      group: 'pods',
      need: 'read',
      summary: 'Tells how a person signs in to a Pod over SSH: the port on loopback, the user name and the keys.',
      params: z.object({ podId: z.string() }),
      answers: { 200: { words: 'The server, and what is missing.', shape: named('PodSsh', podSshSchema) } },
      refusals: ['NOT_FOUND'],
    }),
    async ({ params }) => ssh.of(params.podId),
  );
}
