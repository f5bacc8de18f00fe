import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { TextPart } from './TextPart.tsx';

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at} `).join('');

function Stream() {
  const [count, setCount] = useState(1000);
  return (
    <>
      <button onClick={() => setCount(1400)}>Grow</button>
      <section aria-label="Stream">
        <TextPart part={{ kind: 'text', text: words(count) }} live />
      </section>
    </>
  );
}

it('keeps the elements of a text that grows, all but the last one', async () => {
  const { user, screen } = renderPage(<Stream />);
  const stream = screen.getByRole('region', { name: 'Stream' });
  const [first] = stream.querySelectorAll('div > div');
  expect(stream.textContent).toBe(words(1000));
  await user.click(screen.getByRole('button', { name: 'Grow' }));
  expect(stream.textContent).toBe(words(1400));
  expect(stream.querySelectorAll('div > div')[0]).toBe(first);
  expect(first?.textContent.length).toBeLessThan(4000);
});
