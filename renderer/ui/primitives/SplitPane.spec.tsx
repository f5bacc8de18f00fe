/** Two panes in a narrow window, and in one that changes its width. */
import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useState } from 'react';
import { renderPage } from '../../../test/support/page/render.tsx';
import { Panes } from './SplitPane.tsx';

const { matchMedia } = window;
const scrolled = vi.fn<(this: Element) => void>();
let isNarrow: boolean;
const listeners = new Set<(event: { matches: boolean }) => void>();
beforeEach(() => {
  isNarrow = true;
  window.matchMedia = (media) => {
    const isWidth = media.includes('max-width');
    return Object.assign(matchMedia(media), {
      matches: isWidth && isNarrow,
      addEventListener: (_: string, listener: (event: { matches: boolean }) => void) =>
        isWidth && listeners.add(listener),
    });
  };
  Element.prototype.scrollIntoView = function (this: Element) {
    scrolled.call(this);
  };
});
afterEach(() => {
  window.matchMedia = matchMedia;
  scrolled.mockClear();
  listeners.clear();
});

function setNarrow(matches: boolean): void {
  isNarrow = matches;
  act(() => listeners.forEach((listener) => listener({ matches })));
}

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
  expect(scrolled.mock.contexts).toEqual([screen.getByText('The result').closest('[data-panel]')]);
});

it.each(['stack', 'replace'] as const)(
  'what is typed beside a list stays when the window gets narrower and wider: %s',
  async (whenNarrow) => {
    isNarrow = false;
    const { screen, user } = renderPage(
      <Panes place="here" whenNarrow={whenNarrow} left={<p>The list</p>} right={<input aria-label="Text" />} />,
    );
    // Without a size, a click anywhere would be one at the line between the panes.
    screen.getByRole('textbox', { name: 'Text' }).focus();
    await user.keyboard('typed');
    expect(screen.getByRole('textbox', { name: 'Text' })).toHaveValue('typed');
    for (const narrow of [true, false]) {
      setNarrow(narrow);
      expect(screen.getByRole('textbox', { name: 'Text' })).toHaveValue('typed');
      expect(screen.queryAllByText('The list')).toHaveLength(narrow && whenNarrow === 'replace' ? 0 : 1);
    }
  },
);
