import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { TerminalEvent } from '#contract/bridge/terminal.ts';
import { setAnswers } from '../../../../test/support/page/app.ts';
import { openLink, type LinkState } from './terminalLink.ts';

const LINK = { type: 'link', why: null, retryAt: null, question: null } as const;
const ATTACHED: TerminalEvent = {
  type: 'attached',
  session: 's',
  from: 0,
  snapshot: null,
  columns: 80,
  rows: 24,
  command: [],
};

it('text that is typed right after another try is asked for waits for the shell', async () => {
  let [onTry, onReached] = [(): void => undefined, (): void => undefined];
  const tried = new Promise<void>((resolve) => (onTry = resolve));
  const reached = new Promise<void>((resolve) => (onReached = resolve));
  const sent: string[] = [];
  async function* attach(): AsyncGenerator<TerminalEvent> {
    yield { ...LINK, state: 'refused', why: 'The key was not taken.' };
    yield ATTACHED;
    await tried;
    yield { ...LINK, state: 'connecting' };
    await reached;
    yield { ...LINK, state: 'up' };
    yield { type: 'ended', exitCode: 0, reason: 'The shell exited with code 0.' };
  }
  setAnswers({
    terminals: {
      attach,
      retry: () => onTry(),
      input: ({ data }) => void sent.push(data),
      resize: () => undefined,
    },
  });
  const states: LinkState[] = [];
  const link = openLink({
    accountId: 'work',
    pane: { id: 'a', kind: 'pod', targetId: 'p', session: null, ended: null },
    follows: null,
    screen: {
      size: { columns: 80, rows: 24 },
      begin: () => undefined,
      write: () => undefined,
      resize: () => undefined,
    },
    onState: (state) => states.push(state),
    onBegun: () => undefined,
  });
  await waitFor(() => expect(states.at(-1)?.kind).toBe('refused'));
  link.retry();
  expect(states.at(-1)).toEqual({ kind: 'attaching', waitsFor: null });
  link.type('ls\r');
  await tried;
  expect(sent).toEqual([]);
  onReached();
  await waitFor(() => expect(states.at(-1)?.kind).toBe('ended'));
  await waitFor(() => expect(sent).toEqual(['ls\r']));
  link.stop();
});
