/** SSH into Pods, under /local/v1: the server, and how a person signs in to a Pod. */
import * as z from 'zod';
import { podSshSchema, sshServerSchema } from '#contract/local/ssh/podSsh.ts';
import type { PodSsh } from '../../../domain/terminals/ports.ts';
import type { Api } from '../../access/api.ts';
import { named, operation } from '../../openapi/operation.ts';

export function registerSshRoutes(api: Api, { ssh }: { ssh: PodSsh }): void {
  api.get(
    '/local/v1/ssh',
    operation({
      id: 'sshServer',
      group: 'settings',
      need: 'all',
      summary:
        'Tells at which port the SSH server into Pods listens, whether it can, and which keys the settings allow.',
      answers: { 200: { words: 'The server and its settings.', shape: named('SshServer', sshServerSchema) } },
    }),
    async () => ssh.server(),
  );
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
