/** The open terminals, under /local/v1/terminals: listed, asked what runs in them, and closed. */
import * as z from 'zod';
import { terminalProgramsSchema, terminalSessionSchema } from '#contract/local/terminal.ts';
import type { Terminals } from '../../domain/terminals/ports.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';

const idParams = z.object({ id: z.string() });

export function registerTerminalRoutes(
  api: Api,
  { terminals }: { terminals: Pick<Terminals, 'list' | 'programs' | 'close'> },
): void {
  api.get(
    '/local/v1/terminals',
    operation({
      id: 'terminals',
      group: 'terminals',
      need: 'all',
      summary: 'Lists the terminals that a page can come back to.',
      answers: {
        200: { words: 'The terminals.', shape: { listOf: named('TerminalSession', terminalSessionSchema) } },
      },
    }),
    async () => terminals.list(),
  );
  api.get(
    '/local/v1/terminals/:id/programs',
    operation({
      id: 'terminalPrograms',
      group: 'terminals',
      need: 'all',
      summary: 'Lists the command lines of what runs in a terminal beside idle shells: what a close of it ends.',
      params: idParams,
      answers: {
        200: {
          words: 'The programs; null if they are not known, as in an image without the programs to list them.',
          shape: named('TerminalPrograms', terminalProgramsSchema),
        },
      },
    }),
    async ({ params }) => ({ programs: await terminals.programs(params.id) }),
  );
  api.delete(
    '/local/v1/terminals/:id',
    operation({
      id: 'closeTerminal',
      group: 'terminals',
      need: 'all',
      summary: 'Closes a terminal: its shell and what runs in it are hung up; a shell that stays is killed.',
      params: idParams,
      answers: { 204: { words: 'It is gone.', shape: null } },
    }),
    async ({ params }, reply) => {
      await terminals.close(params.id);
      return reply.code(204).send();
    },
  );
}
