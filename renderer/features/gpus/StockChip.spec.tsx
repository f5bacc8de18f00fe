import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { StockChip } from './StockChip.tsx';

it('a machine tells how many GPUs of a type are free, and a cloud its word for many', () => {
  const { screen } = renderPage(
    <>
      <StockChip stock="Low" totalCount={2} rentedCount={2} />
      <StockChip stock="High" totalCount={400} rentedCount={120} />
      <StockChip stock="Medium" />
      <StockChip stock={null} />
    </>,
  );
  const chips = [...document.querySelectorAll('[data-tone]')].map(({ textContent }) => textContent);
  expect(chips).toEqual(['0 of 2 free', 'High', 'Medium']);
  expect(screen.getByTitle('The account does not report it')).toBeVisible();
});
