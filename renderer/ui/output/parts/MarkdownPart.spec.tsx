import { expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import MarkdownPart from './MarkdownPart.tsx';

const FENCE = '```';

it('code in a known language has colours, and other code is plain', async () => {
  const text = [`${FENCE}py`, 'def area(): return "one" # two', FENCE, '', `${FENCE}mermaid`, 'def x', FENCE].join(
    '\n',
  );
  const { screen } = renderPage(<MarkdownPart part={{ kind: 'markdown', text }} live={false} />);
  const code = screen.getByRole('region', { name: 'Code, py' });
  expect(code).toHaveTextContent('def area(): return "one" # two');
  await expect.poll(() => code.querySelector('[data-token~=keyword]')?.textContent).toBe('def');
  expect(code).toHaveTextContent('def area(): return "one" # two');
  const plain = screen.getByRole('region', { name: 'Code, mermaid' });
  expect(plain).toHaveTextContent('def x');
  expect(plain.querySelector('[data-token]')).toBeNull();
});
