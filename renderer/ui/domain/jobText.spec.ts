/** What a row says of its job. */
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { formatCount } from '../text/format.ts';
import { lineOf, lineText, shortId, sourceOf, sourceWords, titleOf } from './jobText.ts';

describe('what a job is', () => {
  const preview = 'four cats playing poker';
  it.each([
    ['its prompt', { preview, status: 'COMPLETED' }, preview],
    [
      'the sentence of its error',
      { preview, status: 'FAILED', error: 'CUDA out of memory\n  at step 3' },
      `${preview} · CUDA out of memory`,
    ],
    [
      'what a worker reports as its error',
      { status: 'FAILED', error: '{"error_type":"ValueError","error_message":"no number"}' },
      'ValueError: no number',
    ],
    ['why it waits', { preview, waiting: 'Both workers are busy.' }, `${preview} · Waiting: Both workers are busy.`],
    [
      'its place in the queue, before the reason that it shares with the jobs around it',
      { preview, waiting: 'The only worker is busy, and its workersMax is 1. 10 jobs go before it.' },
      `${preview} · 11th in the queue · The only worker is busy, and its "Maximum workers" is 1.`,
    ],
    [
      'its place in the queue, after one job',
      { preview, waiting: 'A worker is starting. 1 job goes before it.' },
      `${preview} · 2nd in the queue · A worker is starting.`,
    ],
    [
      'how many jobs go before it, where nobody counts more',
      { preview, waiting: 'A worker is starting. At least 10000 jobs go before it.' },
      `${preview} · At least ${formatCount(10_000)} jobs before it · A worker is starting.`,
    ],
    [
      'why it waits, with the words of the window for the fields of the API',
      { preview, waiting: 'The endpoint is paused: its workersMax is 0.' },
      `${preview} · Waiting: The endpoint is paused: its "Maximum workers" is 0.`,
    ],
    [
      'how long it was allowed to run',
      { preview, status: 'FAILED', error: 'The job ran longer than its executionTimeout of 600000 ms.' },
      `${preview} · The job ran longer than its execution timeout of 10 min.`,
    ],
    [
      'its prompt where nobody can be asked why it waits',
      { preview, waiting: 'Both workers are busy.', trouble: 'Cannot reach work (ECONNREFUSED).' },
      preview,
    ],
    ['its prompt once it runs', { preview, status: 'IN_PROGRESS', error: null }, preview],
    ['said where it has no input', { preview: null }, 'No input'],
    ['said where no answer came', { preview: null, jobId: null, status: 'UNANSWERED' }, 'No id: no answer arrived'],
  ] as const)('is %s', (_, fields, words) => {
    expect(lineText(entryOf(fields))).toBe(words);
  });
});

it('a job that failed shows its input and its error, in every list', () => {
  const failed = entryOf({ preview: 'four cats', status: 'FAILED', error: 'no memory' });
  expect(lineOf(failed)).toEqual({ what: 'four cats', reason: { words: 'no memory', tone: 'bad' } });
});

it('the title of a job that waits or failed is its prompt, and the error of one without an input', () => {
  const preview = 'four cats playing poker';
  expect(titleOf(entryOf({ preview, waiting: 'Both workers are busy.' }))).toBe(preview);
  expect(titleOf(entryOf({ preview, status: 'FAILED', error: 'no memory' }))).toBe(preview);
  expect(titleOf(entryOf({ status: 'FAILED', error: 'no memory' }))).toBe('no memory');
});

describe('where a job came from', () => {
  it.each([
    [{ source: 'window' }, 'window', 'A window of Hangar'],
    [{ source: 'command' }, 'command line', 'The command line'],
    [
      { source: 'api', client: 'curl', keyName: 'trainer' },
      'API · key "trainer"',
      'The API, by curl, with the key "trainer"',
    ],
    [{ source: 'api', keyName: 'trainer' }, 'API · key "trainer"', 'The API, with the key "trainer"'],
    [{ source: 'api', client: 'curl' }, 'API · curl', 'The API, by curl'],
    [{ source: 'api' }, 'API', 'The API'],
  ] as const)('%j', (fields, short, full) => {
    const entry = entryOf(fields);
    expect([sourceOf(entry), sourceWords(entry)]).toEqual([short, full]);
  });
});

it('an id is short, and its end tells it from its neighbours', () => {
  expect(shortId('01a20754-f3bb-7000-b654-292ad8c48b48-l1')).toBe('01a2…8b48');
  expect(shortId('sync-01a20754-f3bb-7000-b654-292ad8c48b48-l1')).toBe('01a2…8b48');
  expect(shortId('job-1')).toBe('job-1');
});
