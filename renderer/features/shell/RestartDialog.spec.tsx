import { afterEach, expect, it } from 'vitest';
import type { EngineStatus } from '#contract/app/account.ts';
import { engineStatusOf } from '../../../test/support/accounts/engineStatus.ts';
import { useEngine } from '../../client/engine.ts';
import { closeRestart } from '../../state/overlays.ts';
import { RestartButton } from '../../ui/domain/RestartButton.tsx';
import { renderPage } from '../../../test/support/page/render.tsx';
import RestartDialog from './RestartDialog.tsx';

const ready = engineStatusOf();

/** A terminal of the computer is no work of the engine. */
const hostShell = {
  id: 'host-1',
  kind: 'host' as const,
  targetId: 'here',
  command: [],
  startedAt: '2026-01-15T12:00:00.000Z',
  viewers: 1,
};

function show(running: number, kinds: ('pod' | 'worker')[] = [], status: EngineStatus = ready) {
  let restarts = 0;
  useEngine.setState({ status });
  const page = renderPage(
    <>
      <RestartButton />
      <RestartDialog />
    </>,
    {
      engine: {
        restart: () => {
          restarts++;
          return ready;
        },
      },
      jobs: { counts: ({ since }) => ({ running, queued: 0, since, failed: 0 }) },
      terminals: { list: () => [hostShell, ...kinds.map((kind, index) => ({ ...hostShell, id: `s${index}`, kind }))] },
    },
  );
  return { ...page, restarts: () => restarts };
}

afterEach(closeRestart);

it('A restart asks while jobs run, and says what happens to them and to terminals', async () => {
  const { user, screen, restarts } = show(2, ['pod']);
  await user.click(screen.getByRole('button', { name: 'Restart the engine' }));
  const question = await screen.findByRole('dialog', { name: 'Restart the engine?' });
  expect(question).toHaveTextContent('2 jobs run. The restart stops the workers of this computer.');
  expect(question).toHaveTextContent('go back to the queue and start over after the restart');
  expect(question).toHaveTextContent('1 terminal in a Pod or a worker closes.');
  expect(restarts()).toBe(0);
  await user.click(screen.getByRole('button', { name: 'Restart' }));
  await expect.poll(restarts).toBe(1);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it('Nothing is asked while nothing runs', async () => {
  const { user, screen, restarts } = show(0);
  await user.click(screen.getByRole('button', { name: 'Restart the engine' }));
  await expect.poll(restarts).toBe(1);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('Nothing is asked about an engine that does not run: its jobs wait already', async () => {
  const { user, screen, restarts } = show(2, ['pod'], { ...ready, state: 'failed' });
  await user.click(screen.getByRole('button', { name: 'Restart the engine' }));
  await expect.poll(restarts).toBe(1);
  expect(screen.queryByRole('dialog')).toBeNull();
});
