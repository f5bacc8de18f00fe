import { fireEvent } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { JobTabs } from './JobTabs.tsx';

const failed = entryOf({ status: 'FAILED', error: 'no memory', finishedAt: 2 });
const extras = [{ name: 'Input', content: null }];
const chunks = [{ index: 0, at: 1, text: '"a"' }];

it.each([
  ['without chunks', [], extras, ['Output', 'Log', 'Input', 'Raw']],
  ['with chunks', chunks, extras, ['Output', 'Log', 'Chunks 1', 'Input', 'Raw']],
  ['with chunks and no more tabs', chunks, [], ['Output', 'Log', 'Raw', 'Chunks 1']],
])('a job %s has its log beside its output', (_what, has, more, titles) => {
  const { screen } = renderPage(<JobTabs entry={failed} chunks={has} output={null} extras={more} />);
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(titles);
});

it('the log has a skeleton with its tools and lines while its code is loaded', async () => {
  const { screen } = renderPage(<JobTabs entry={entryOf({ jobId: null })} chunks={[]} output={null} />);
  // The import of its code cannot end before the next line, as it can while `user.click` is awaited.
  fireEvent.click(screen.getByRole('tab', { name: 'Log' }));
  expect(screen.getByRole('group', { name: 'Loading the log' })).toBeVisible();
  expect(screen.getByRole('group', { name: 'Loading the log' }).previousElementSibling?.children).toHaveLength(3);
  expect(await screen.findByText('No output')).toBeVisible();
  expect(screen.queryByRole('group', { name: 'Loading the log' })).toBeNull();
});

it('a job that failed without output leads to its log', async () => {
  const { user, screen } = renderPage(<JobTabs entry={{ ...failed, jobId: null }} chunks={[]} output={null} />);
  await user.click(screen.getByRole('button', { name: 'Show the log' }));
  expect(screen.getByRole('tab', { name: 'Log' })).toHaveAttribute('aria-selected', 'true');
});

/** A job that is retried by a button. */
function Retried() {
  const [has, setChunks] = useState(chunks);
  return (
    <>
      <button type="button" onClick={() => setChunks([])}>
        Retry
      </button>
      <JobTabs entry={failed} chunks={has} output={null} />
    </>
  );
}

it('a new attempt without chunks shows the output instead of a tab that is gone', async () => {
  const { user, screen } = renderPage(<Retried />);
  await user.click(screen.getByRole('tab', { name: 'Chunks 1' }));
  expect(screen.getByRole('tab', { name: 'Chunks 1' })).toHaveAttribute('aria-selected', 'true');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(screen.getByRole('tab', { name: 'Output' })).toHaveAttribute('aria-selected', 'true');
});

const streamed = entryOf({ status: 'COMPLETED', finishedAt: 2, chunkCount: 1 });

it.each([
  ['an empty list', streamed, '[]', true],
  ['no output', streamed, null, true],
  ['the list of its chunks', streamed, '["a"]', false],
  ['an empty list of a handler without chunks', entryOf({ status: 'COMPLETED', finishedAt: 2 }), '[]', false],
])(
  'with %s as its output, the raw answer of a job may say where its chunks are',
  async (_what, entry, output, isSaid) => {
    const has = entry === streamed ? chunks : [];
    const { user, screen } = renderPage(<JobTabs entry={entry} chunks={has} output={output} />);
    await user.click(screen.getByRole('tab', { name: 'Raw' }));
    const panel = screen.getByRole('tabpanel', { name: 'Raw' });
    const words = 'The handler yields, so /status returns an empty output. Its chunks come from /stream.';
    if (isSaid) expect(panel).toHaveTextContent(words);
    else expect(panel).not.toHaveTextContent('/stream');
  },
);
