/** Terminals, as a part of the table that /local/v1/openapi.json is made from. */
import { terminalClientSchema, terminalServerSchema, terminalSessionSchema } from '#contract/local/terminal.ts';
import type { Operation } from '../document.ts';

export const terminalRequests = { TerminalClientMessage: terminalClientSchema };
export const terminalAnswers = { TerminalSession: terminalSessionSchema, TerminalServerMessage: terminalServerSchema };
type Name = keyof typeof terminalRequests | keyof typeof terminalAnswers;

/** A terminal into one container. Its messages are no HTTP: their shapes stand beside the answers. */
const terminalInto = (path: string, id: string, container: string): Operation<Name> => ({
  methods: ['get'],
  path,
  id,
  group: 'terminals',
  need: 'all',
  summary: `Opens a terminal into the container of a ${container}. It is a WebSocket: the request asks for that change of protocol.`,
  answers: {
    101: {
      words:
        'The WebSocket. Each way goes JSON in text messages, of which the first is `attach` and its answer `attached`. Output comes in binary messages, whose bytes are counted since the session began.',
      shape: null,
    },
  },
  webSocket: { sent: 'TerminalClientMessage', received: 'TerminalServerMessage' },
  refusals: ['BAD_REQUEST', 'CONFLICT'],
});

export const terminalOperations: readonly Operation<Name>[] = [
  terminalInto('/local/v1/pods/{podId}/terminal', 'podTerminal', 'Pod'),
  terminalInto('/local/v1/workers/{workerId}/terminal', 'workerTerminal', 'worker'),
  {
    methods: ['get'],
    path: '/local/v1/terminals',
    id: 'terminals',
    group: 'terminals',
    need: 'all',
    summary: 'Lists the terminals that a page can come back to.',
    answers: { 200: { words: 'The terminals.', shape: { listOf: 'TerminalSession' } } },
    refusals: [],
  },
  {
    methods: ['delete'],
    path: '/local/v1/terminals/{id}',
    id: 'closeTerminal',
    group: 'terminals',
    need: 'all',
    summary: 'Closes a terminal: its shell and what runs in it are hung up; a shell that stays is killed.',
    answers: { 204: { words: 'It is gone.', shape: null } },
    refusals: [],
  },
];
