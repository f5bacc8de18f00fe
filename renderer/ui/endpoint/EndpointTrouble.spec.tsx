import { describe, expect, it } from 'vitest';
import { endpointRow, pythonHandler, readinessOf } from '../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { EndpointTrouble } from './EndpointTrouble.tsx';

const trouble = {
  deaths: 3,
  reason: 'It ended with exit code 1: weights.bin is missing',
  lastLines: ['loading', 'Error: weights.bin is missing'],
  nextTryAt: null,
};

describe('an endpoint whose workers crash', () => {
  it('says why, with their last lines and the way to the log', async () => {
    const row = endpointRow({ ...readinessOf(pythonHandler), trouble });
    const { screen, user } = renderPage(<EndpointTrouble row={row} pause={null} />);
    const alert = screen.getByRole('alert');
    expect(alert).toHaveTextContent('Its workers crash.');
    expect(alert).toHaveTextContent('weights.bin is missing');
    expect(screen.getByRole('region', { name: 'Last output before the crash' })).toHaveTextContent('loading');
    await user.click(screen.getByRole('button', { name: 'Read the log' }));
    expect(location.hash).toBe('#/endpoints/e/logs');
  });

  it('leads to itself where its trouble stands at a job', async () => {
    const row = endpointRow({ ...readinessOf(pythonHandler), trouble });
    const { screen, user } = renderPage(<EndpointTrouble row={row} pause={null} atJob />);
    await user.click(screen.getByRole('button', { name: 'Show the endpoint' }));
    expect(location.hash).toBe('#/endpoints/e');
  });
});
