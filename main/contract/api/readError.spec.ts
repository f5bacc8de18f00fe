import { describe, expect, it } from 'vitest';
import { readError } from './readError.ts';

describe("a worker's error", () => {
  it('of one line has nothing to unfold', () => {
    expect(readError('Error: step 4 failed\n')).toEqual({ headline: 'Error: step 4 failed', detail: null });
  });

  it('of Node starts with its message', () => {
    expect(readError('Error: no\n    at handler (h.mjs:1:1)')).toEqual({
      headline: 'Error: no',
      detail: '    at handler (h.mjs:1:1)',
    });
  });

  it('of Python ends with its message', () => {
    expect(readError('Traceback (most recent call last):\n  File "h.py", line 2\nValueError: bad').headline).toBe(
      'ValueError: bad',
    );
  });

  it('of the public worker is read from its fields', () => {
    const error = JSON.stringify({ error_type: "<class 'KeyError'>", error_message: "'n'", error_traceback: 'T' });
    expect(readError(error)).toEqual({ headline: "KeyError: 'n'", detail: 'T' });
    expect(readError(JSON.stringify({ ...JSON.parse(error), error_cause: 'The disk is full.' }))).toEqual({
      headline: 'The disk is full.',
      detail: "KeyError: 'n'\nT",
    });
    expect(readError('{"cut').headline).toBe('{"cut');
  });

  it('of the public worker without a message is named by its type', () => {
    const error = { error_type: "<class 'MemoryError'>", error_message: '', error_traceback: 'T' };
    expect(readError(JSON.stringify(error))).toEqual({ headline: 'MemoryError', detail: 'T' });
    expect(readError(JSON.stringify({ ...error, error_cause: 'The worker ran out of memory.' }))).toEqual({
      headline: 'The worker ran out of memory.',
      detail: 'MemoryError\nT',
    });
    expect(readError('{"error_type": "mine"}').headline).toBe('{"error_type": "mine"}');
  });

  it.each([
    ['a list as JSON', '["steps does not meet the constraints."]', 'steps does not meet the constraints.'],
    ['a list in a field', '{"error": ["prompt is required."]}', 'prompt is required.'],
    [
      'what the validator returns',
      '{"errors":["prompt is required.","Seed is odd."]}',
      'prompt is required. Seed is odd.',
    ],
    ['a list as Python writes it', `['it\\'s odd', "a 'b'"]`, "it's odd; a 'b'"],
    [
      'a list with types of Python',
      `["steps should be <class 'int'> type, not <class 'str'>."]`,
      'steps should be int type, not str.',
    ],
  ])('of a validator is plain sentences: %s', (_, error, headline) => {
    expect(readError(error)).toEqual({ headline, detail: null });
  });

  it.each([
    '[]',
    '[""]',
    '[1, 2]',
    '["a", 1]',
    '{"error": {"code": 3}}',
    '{"error":["a"],"code":3}',
    '["cut',
    "['a' 'b']",
  ])('that only looks like the list of a validator stays as it is: %s', (error) =>
    expect(readError(error)).toEqual({ headline: error, detail: null }),
  );
});
