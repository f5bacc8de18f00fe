/** Rules of reading a service's answers. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readJob, readJson, readStream } from './parsers.ts';

describe('readJob', () => {
  it('keeps the output as the raw text it came in, and fields it does not know', () => {
    const text =
      '{"id":"j","status":"COMPLETED","output": {"n":12345678901234567890, "s":"\\u0041"},"executionTime":5,"new":[1]}';
    expect(readJob('status', text)).toEqual({
      view: { id: 'j', status: 'COMPLETED', executionTime: 5, new: [1] },
      output: '{"n":12345678901234567890, "s":"\\u0041"}',
    });
  });

  it('tells a missing output from one that is null', () => {
    expect(readJob('status', '{"id":"j","status":"FAILED"}').output).toBeNull();
    expect(readJob('status', '{"id":"j","status":"COMPLETED","output":null}').output).toBe('null');
  });
});

describe('a job of another service', () => {
  it('in a state that nobody knows is one to go on asking about', () => {
    expect(readJob('status', '{"id":"j","status":"RUNNING"}').view.status).toBe('IN_PROGRESS');
  });

  it('with an error that is no text has it as text, and with numbers that are none has none', () => {
    const { view } = readJob('status', '{"id":"j","status":"FAILED","error":{"type":"x"},"delayTime":"soon"}');
    expect(view).toEqual({ id: 'j', status: 'FAILED', error: '{"type":"x"}', delayTime: undefined });
  });
});

describe('readStream', () => {
  it('reads the envelope, each chunk raw', () => {
    expect(
      readStream('stream', '{"status":"IN_PROGRESS","stream":[{"output":1.0},{"output":"a","metrics":{}}]}'),
    ).toEqual({
      status: 'IN_PROGRESS',
      retries: 0,
      chunks: ['1.0', '"a"'],
      metrics: [null, '{}'],
    });
  });

  it('reads how often a stream has begun anew', () => {
    expect(readStream('stream', '{"status":"IN_PROGRESS","retries":2,"stream":[]}').retries).toBe(2);
  });

  it('reads a bare array, whose chunks tell nothing of the job’s state', () => {
    expect(readStream('stream', ' [{"output":1}]')).toEqual({ status: null, retries: 0, chunks: ['1'] });
  });
});

describe('an answer that is not what the description says', () => {
  it.each([
    () => readJob('status', '{"id":1,"status":"COMPLETED"}'),
    () => readJob('status', '{"id":"j"}'),
    () => readJob('status', '<html>'),
    () => readStream('stream', '{"stream":[]}'),
    () => readJson('health', '{}', z.object({ jobs: z.unknown() }).required()),
  ])('is an UPSTREAM error that names the question (%#)', (read) => {
    expect(read).toThrow(
      expect.objectContaining({ code: 'UPSTREAM', message: expect.stringMatching(/"(status|stream|health)"/) }),
    );
  });
});
