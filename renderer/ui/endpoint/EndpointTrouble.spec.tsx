import { describe, expect, it } from 'vitest';
import { endpointRow, pythonHandler, readinessOf } from '../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { EndpointTrouble } from './EndpointTrouble.tsx';

const trouble = {
  deaths: 3,
  reason: 'Error: weights.bin is missing (exit code 1)',
  lastLines: ['loading', 'Error: weights.bin is missing'],
  nextTryAt: null,
};

describe('an endpoint whose workers crash', () => {
  it('says why, with their last lines and the way to the log', async () => {
    const row = endpointRow({ ...readinessOf(pythonHandler), trouble });
    const { screen, user } = renderPage(<EndpointTrouble accountId="a" row={row} pause={null} />);
    const alert = screen.getByRole('alert');
    expect(alert).toHaveTextContent('Its workers crash.');
    expect(alert).toHaveTextContent('weights.bin is missing');
    expect(screen.getByRole('region', { name: 'Last output before the crash' })).toHaveTextContent('loading');
    await user.click(screen.getByRole('button', { name: 'Read the log' }));
    expect(location.hash).toBe('#/endpoints/e/logs');
  });

  it.each([
    ['python', 'The handler fails on start.'],
    ['container', 'Its workers fail on start.'],
  ] as const)('names what fails on start: %s', (runtime, title) => {
    const row = endpointRow({ ...readinessOf(pythonHandler), runtime, trouble: { ...trouble, onStart: true } });
    const { screen } = renderPage(<EndpointTrouble accountId="a" row={row} pause={null} />);
    expect(screen.getByRole('alert')).toHaveTextContent(
      `${title}Error: weights.bin is missing (exit code 1). 3 workers failed in a row.`,
    );
  });

  it('leads to itself where its trouble stands at a job', async () => {
    const row = endpointRow({ ...readinessOf(pythonHandler), trouble });
    const { screen, user } = renderPage(<EndpointTrouble accountId="a" row={row} pause={null} atJob />);
    await user.click(screen.getByRole('button', { name: 'Show the endpoint' }));
    expect(location.hash).toBe('#/endpoints/e');
  });
});

it('a paused endpoint is resumed where its pause is reported', async () => {
  const resumed: string[] = [];
  const row = { ...endpointRow(readinessOf(pythonHandler)), workersMax: 0 };
  const { screen, user } = renderPage(<EndpointTrouble accountId="a" row={row} pause={null} />, {
    endpoints: {
      resume: ({ accountId, endpointId }) => {
        resumed.push(`${accountId}/${endpointId}`);
        return { workersMax: 3, isRestored: true };
      },
    },
  });
  expect(screen.getByRole('status')).toHaveTextContent('The endpoint is paused.New jobs wait in the queue.');
  await user.click(screen.getByRole('button', { name: 'Resume' }));
  expect(await screen.findByText('It may have up to 3 workers, as before.')).toBeVisible();
  expect(resumed).toEqual(['a/e']);
});
