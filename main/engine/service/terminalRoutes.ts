/** The terminals that there are, under /local/v1/terminals: listed and closed. */
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { ApiKeys } from '../domain/apiKeys.ts';
import type { Terminals } from '../domain/terminalPorts.ts';
import { authorize, type Need } from './auth.ts';
import type { Api } from './server.ts';

const idParams = z.object({ id: z.string() });

export function registerTerminalRoutes(
  api: Api,
  { keys, terminals }: { keys: ApiKeys; terminals: Pick<Terminals, 'list' | 'close'> },
) {
  const needs = (need: Need) => ({
    onRequest: async (request: { raw: IncomingMessage }) => {
      authorize(request.raw, keys, need, null);
    },
  });
  api.get('/local/v1/terminals', needs('all'), async () => terminals.list());
  api.delete(
    '/local/v1/terminals/:id',
    { ...needs('all'), schema: { params: idParams } },
    async ({ params }, reply) => {
      await terminals.close(params.id);
      return reply.code(204).send();
    },
  );
}
