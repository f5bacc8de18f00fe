import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useFollowTail } from './useFollowTail.ts';

const LINE_PX = 20;
const EMPTY_PX = 1000;

function Lines({ count }: { count: number }) {
  const { props, following } = useFollowTail<HTMLDivElement>(count);
  return (
    <div {...props} data-count={count} role="log">
      {following ? 'It follows' : 'It stays'}
    </div>
  );
}

/** jsdom computes no layout: a view is as high as its number of lines makes it. */
beforeEach(() => {
  Object.defineProperty(HTMLElement.prototype, 'scrollHeight', {
    configurable: true,
    get(this: HTMLElement) {
      return EMPTY_PX + Number(this.dataset['count'] ?? 0) * LINE_PX;
    },
  });
});
afterEach(() => void Reflect.deleteProperty(HTMLElement.prototype, 'scrollHeight'));

it('A view that was scrolled up stays there, also if the event of its own last scroll comes behind that of the wheel', () => {
  const { screen, rerender } = renderPage(<Lines count={1} />);
  const view = screen.getByRole('log');
  const scrollTo = (top: number): void => {
    view.scrollTop = top;
    fireEvent.scroll(view);
  };
  const former = view.scrollTop;
  scrollTo(former);
  rerender(<Lines count={2} />);
  const end = view.scrollTop;
  expect(end).toBe(former + LINE_PX);
  expect(view).toHaveTextContent('It follows');

  fireEvent.wheel(view, { deltaY: -400 });
  // The browser has scrolled from where the view was, and then takes the place that the new line gave it.
  scrollTo(former - 400);
  scrollTo(end);
  expect(view).toHaveTextContent('It stays');

  scrollTo(end - 400);
  scrollTo(end);
  expect(view).toHaveTextContent('It follows');
});
