/** The terminals that there are, under /local/v1/terminals: listed and closed. */
import * as z from 'zod';
import type { Terminals } from '../../domain/terminals/ports.ts';
import { needs } from '../access/routeAccess.ts';
import type { Api } from '../access/api.ts';

const idParams = z.object({ id: z.string() });

export function registerTerminalRoutes(api: Api, { terminals }: { terminals: Pick<Terminals, 'list' | 'close'> }) {
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
