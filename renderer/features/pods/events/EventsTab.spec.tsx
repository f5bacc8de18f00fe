import { within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodEvent } from '#contract/local/podEvent.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { EventsTab } from './EventsTab.tsx';

const pod = lenientPodSchema.parse({ id: 'p', name: 'trainer' });
const event = (n: number, more: Partial<PodEvent>): PodEvent => ({
  n,
  at: new Date(Date.UTC(2026, 2, 1, 12, n)).toISOString(),
  kind: 'started',
  by: 'engine',
  keyName: null,
  text: 'Its container started.',
  times: 1,
  exitCode: null,
  lastLines: [],
  ...more,
});

it('The events of a Pod stand with the newest first, with their count, who did them, and the last lines before an end', async () => {
  const events = [
    event(1, { kind: 'made', by: 'person', keyName: 'laptop', text: 'It was made from me/image:1.' }),
    event(2, {}),
    event(3, { kind: 'ended', text: 'Its container ended with exit code 1.', times: 4, lastLines: ['boom', 'bye'] }),
    event(4, { kind: 'stopped', by: 'schedule', text: 'It was stopped.' }),
    event(5, { kind: 'resumed', by: 'person', text: 'It was started.' }),
  ];
  const inputs: unknown[] = [];
  const { screen } = renderPage(<EventsTab accountId={thisComputer.id} pod={pod} />, {
    accounts: { list: () => [thisComputer] },
    pods: {
      events(input) {
        inputs.push(input);
        return events;
      },
    },
  });
  const list = await screen.findByRole('list', { name: 'Events of trainer' });
  expect(inputs).toEqual([{ accountId: thisComputer.id, podId: 'p' }]);
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => within(item).getByRole('paragraph').textContent),
  ).toEqual([
    'It was started.by a person',
    'It was stopped.at the time that was set',
    'Its container ended with exit code 1.4 times so far',
    'Its container started.',
    'It was made from me/image:1.with the API key laptop',
  ]);
  expect(screen.getByLabelText('The last lines before it')).toHaveTextContent('boom bye');
});

it('Why the events of a Pod could not be read is said', async () => {
  const { screen } = renderPage(<EventsTab accountId={thisComputer.id} pod={pod} />, {
    accounts: { list: () => [thisComputer] },
    pods: {
      events() {
        throw new Error('The Pod is gone.');
      },
    },
  });
  expect(await screen.findByText('The events could not be read')).toBeVisible();
});
