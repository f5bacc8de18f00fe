import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { TextView } from './TextView.tsx';

it('JSON has the colours of its keys and values', async () => {
  const { screen } = renderPage(
    <TextView text={'{"steps": 30}'} what="input" copyLabel="Copy input" language="JSON" />,
  );
  const source = screen.getByRole('region', { name: 'input' });
  await expect.poll(() => source.querySelector('[data-token~=property]')?.textContent).toBe('"steps"');
  expect(source.querySelector('[data-token~=number]')?.textContent).toBe('30');
  expect(source).toHaveTextContent('{"steps": 30}');
});
