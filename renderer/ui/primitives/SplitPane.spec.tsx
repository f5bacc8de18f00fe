/** Two panes in a narrow window, where one stands below the other. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useState } from 'react';
import { renderPage } from '../../../test/support/page/render.tsx';
import { Panes } from './SplitPane.tsx';

const { matchMedia } = window;
const scrolled = vi.fn<(this: Element) => void>();
beforeEach(() => {
  window.matchMedia = (media) => Object.assign(matchMedia(media), { matches: media.includes('max-width') });
  Element.prototype.scrollIntoView = function (this: Element) {
    scrolled.call(this);
  };
});
afterEach(() => {
  window.matchMedia = matchMedia;
  scrolled.mockClear();
});

function Counting() {
  const [runs, setRuns] = useState(0);
  return (
    <Panes
      place="here"
      seeRight={runs}
      left={<button onClick={() => setRuns(runs + 1)}>Run</button>}
      right={<p>The result</p>}
    />
  );
}

it('the lower pane comes into sight when it is asked for, and not before', async () => {
  const { screen, user } = renderPage(<Counting />);
  expect(scrolled).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Run' }));
  expect(scrolled.mock.contexts).toEqual([screen.getByText('The result').parentElement]);
});
