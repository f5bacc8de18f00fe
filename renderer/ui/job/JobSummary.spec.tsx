import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { JobSummary } from './JobSummary.tsx';

const waiting = "Its worker died: No module named 'torch' (handler.py:2). Its workersMax is 1.";
const shown = /No module named 'torch' \(handler\.py:2\)\. Its "Maximum workers" is 1\.$/;

describe('the reason why a job waited', () => {
  it.each([
    ['while it waits', entryOf({ waiting }), 'Waiting:'],
    ['after it was cancelled', entryOf({ waiting, status: 'CANCELLED', finishedAt: 2, workerId: '' }), 'It waited:'],
  ])('is shown %s, with the labels of the window', (_when, entry, title) => {
    const { screen } = renderPage(<JobSummary entry={entry} />);
    expect(screen.getByText(title)).toBeVisible();
    expect(screen.getByText(shown)).toBeVisible();
  });

  it('is not shown for a job that a worker had', () => {
    const { screen } = renderPage(
      <JobSummary entry={entryOf({ waiting, status: 'COMPLETED', startedAt: 2, finishedAt: 3 })} />,
    );
    expect(screen.queryByText(shown)).toBeNull();
  });
});
