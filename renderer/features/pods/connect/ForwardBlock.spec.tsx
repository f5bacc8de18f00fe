import { ORPCError } from '@orpc/client';
import { expect, it } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodForward, PodForwardStart } from '#contract/app/forwards/podForward.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { ForwardBlock } from './ForwardBlock.tsx';

const pod = lenientPodSchema.parse({ id: 'p1', name: 'trainer', desiredStatus: 'RUNNING' });
const counted = { open: 2, total: 5, sentBytes: 10, receivedBytes: 2048, problem: null };

const refuse = (): PodForward => {
  throw new ORPCError('CONFLICT', { message: 'Port 80 of this computer is taken by another program.' });
};

function render(list: PodForward[], start: (request: PodForwardStart) => PodForward = refuse) {
  return renderPage(<ForwardBlock accountId={thisComputer.id} pod={pod} />, {
    accounts: { list: () => [thisComputer] },
    ssh: {
      forwards: () => [...list],
      forward: start,
      endForward: ({ id }: { id: string }) =>
        void list.splice(
          list.findIndex((one) => one.id === id),
          1,
        ),
    },
  });
}

it('A forwarded port has its address here, what passed, and a way to stop it', async () => {
  const { screen, user } = render([{ id: 'f', port: 8188, localPort: 18_188, ...counted }]);
  expect(await screen.findByRole('link', { name: 'localhost:18188' })).toHaveAttribute(
    'href',
    'http://localhost:18188',
  );
  expect(screen.getByText('2 open of 5 · 10 B sent · 2.0 KB received')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Stop forwarding port 8188' }));
  await expect.poll(() => screen.queryByText('localhost:18188')).toBeNull();
});

it('A port is forwarded to the one that was chosen, or to a free one', async () => {
  const list: PodForward[] = [];
  const requests: PodForwardStart[] = [];
  const { screen, user } = render(list, (request) => {
    requests.push(request);
    const made = { id: String(list.length), port: request.port, localPort: request.localPort ?? 40_000, ...counted };
    list.push(made);
    return made;
  });
  const forward = async (port: string, here: string) => {
    await user.type(screen.getByLabelText(/^Port of the Pod/), port);
    if (here !== '') await user.type(screen.getByLabelText('Port here'), here);
    await user.click(screen.getByRole('button', { name: 'Forward' }));
  };
  expect(await screen.findByRole('button', { name: 'Forward' })).toHaveAccessibleDescription(
    'Enter a port of the Pod first.',
  );
  await forward('5432', '');
  expect(await screen.findByText('localhost:40000')).toBeVisible();
  await forward('80', '8080');
  expect(await screen.findByText('localhost:8080')).toBeVisible();
  expect(requests.map(({ port, localPort }) => [port, localPort])).toEqual([
    [5432, null],
    [80, 8080],
  ]);
});

it('A port that cannot be forwarded says why, and so does a connection that failed', async () => {
  const problem = 'Nothing listens at port 8188 in the Pod.';
  const { screen, user } = render([{ id: 'f', port: 8188, localPort: 18_188, ...counted, problem }]);
  expect(await screen.findByText(problem)).toBeVisible();
  await user.type(screen.getByLabelText(/^Port of the Pod/), '80');
  await user.click(screen.getByRole('button', { name: 'Forward' }));
  expect(await screen.findByText('Port 80 of this computer is taken by another program.')).toBeVisible();
});
