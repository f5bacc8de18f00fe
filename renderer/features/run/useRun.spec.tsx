import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useJobChangesFeed } from '../../client/jobs/jobChanges.ts';
import { shownEntry } from '../../state/selection.ts';
import { useRun } from './useRun.ts';

const OTHER = '00000000-0000-4000-8000-000000000000';
const request = {
  accountId: 'this-machine',
  endpointId: 'e',
  endpointName: 'words',
  body: '{}',
  draftKey: 'k',
} as const;

function Runner() {
  useJobChangesFeed();
  const { submit } = useRun();
  const shown = shownEntry.use('k');
  return (
    <>
      <button onClick={() => submit({ ...request, mode: 'runsync' })}>Run</button>
      <output aria-label="Shown">{shown}</output>
    </>
  );
}

function settleable(): { promise: Promise<void>; settle: () => void } {
  let settle = (): void => undefined;
  const promise = new Promise<void>((resolve) => (settle = resolve));
  return { promise, settle };
}

/** An app that tells of each job that is sent, and answers a submit when `answer` settles. */
function appOf(answer: Promise<unknown>) {
  const sent: { entryId: string }[] = [];
  const begun = settleable();
  const answers = {
    jobs: {
      submit: async (submission: { entryId: string }): Promise<LedgerEntry> => {
        sent.push(submission);
        begun.settle();
        await answer;
        return entryOf({ entryId: submission.entryId, status: 'COMPLETED' });
      },
      async *changes(_: unknown, signal: AbortSignal) {
        await begun.promise;
        // Another window sends to the same endpoint, at the same moment.
        const sending = { endpointId: 'e', mode: 'runsync', status: 'SENDING' } as const;
        yield { entries: [entryOf({ ...sending, entryId: OTHER })], others: 0 };
        yield { entries: [entryOf({ ...sending, entryId: sent[0]!.entryId })], others: 0 };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    },
  };
  return { sent, answers };
}

describe('a job that is run', () => {
  it('is shown by the id that the page made, before its result, whatever other pages send', async () => {
    const result = settleable();
    const { sent, answers } = appOf(result.promise);
    const { user, screen } = renderPage(<Runner />, answers);
    await user.click(screen.getByRole('button', { name: 'Run' }));
    await waitFor(() => expect(screen.getByLabelText('Shown')).toHaveTextContent(/.+/));
    expect(screen.getByLabelText('Shown')).toHaveTextContent(sent[0]!.entryId);
    const { draftKey: _, ...submission } = request;
    expect(sent).toEqual([{ ...submission, mode: 'runsync', entryId: sent[0]!.entryId }]);
    result.settle();
  });
});
