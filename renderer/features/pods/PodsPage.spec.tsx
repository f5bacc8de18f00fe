import { expect, it } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import PodsPage from './PodsPage.tsx';

it('The list of Pods says why it does not show what they do just now', async () => {
  const pod = lenientPodSchema.parse({ id: 'p', name: 'trainer' });
  const { screen } = renderPage(<PodsPage podId={null} tab="logs" />, {
    accounts: { list: () => [thisComputer] },
    pods: {
      now: () => ({
        rows: [{ pod, facts: null }],
        factsProblem: 'The key was refused.',
        lacks: [],
        containerProblem: null,
      }),
    },
  });
  expect(await screen.findByText('The key was refused.')).toBeVisible();
  expect(screen.getByText('trainer')).toBeVisible();
});

it('Without a container engine the page says how to get one, and goes on once one is there', async () => {
  const missing = 'No container engine was found. Install Docker: sudo apt-get install docker.io.';
  let containerProblem: string | null = missing;
  const { screen, user } = renderPage(<PodsPage podId={null} tab="logs" />, {
    accounts: { list: () => [thisComputer] },
    pods: { now: () => ({ rows: [], factsProblem: null, lacks: [], containerProblem }) },
  });
  expect(await screen.findByText('Pods need a container engine')).toBeVisible();
  expect(screen.getByRole('list', { name: 'Commands' })).toHaveTextContent('sudo apt-get install docker.io');
  // Said once: what a command is for stands at the command.
  expect(screen.getByText('No container engine was found.')).toBeVisible();
  expect(screen.getAllByText(/apt-get/)).toHaveLength(1);
  expect(screen.queryByRole('alert')).toBeNull();
  containerProblem = null;
  await user.click(screen.getByRole('button', { name: 'Check again' }));
  expect(await screen.findByText('No Pods on this computer')).toBeVisible();
});
