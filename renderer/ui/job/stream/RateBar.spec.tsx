import { within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { RateBar } from './RateBar.tsx';

const chunks = [0, 50, 200].map((loss, index) => ({
  index,
  at: 1000 + index,
  text: '"word"',
  metrics: JSON.stringify({ loss, step_time: 0.123456 }),
}));

it('the numbers of a stream stand below it, each with a line from the first value to the newest', () => {
  const { screen } = renderPage(<RateBar chunks={chunks} over={false} />);
  const bar = screen.getByRole('group', { name: 'Stream speed' });
  expect([...bar.children].map(({ textContent }) => textContent)).toEqual(['loss200', 'step time0.12']);
  const lines = [...bar.querySelectorAll('polyline')].map((line) => line.getAttribute('points'));
  expect(lines).toEqual(['0.0,16.5 60.0,12.8 120.0,1.5', '0.0,1.5 60.0,1.5 120.0,1.5']);
});

it('a stream without numbers and without a time has no bar', () => {
  const { screen } = renderPage(<RateBar chunks={[{ index: 0, at: 1, text: '"word"' }]} over />);
  expect(within(document.body).queryByRole('group')).toBeNull();
  expect(screen.queryByText(/chunks/)).toBeNull();
});
