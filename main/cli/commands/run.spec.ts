/** Rules of what `hangar run` sends. */
import { describe, expect, it } from 'vitest';
import { bodyOf } from './run.ts';

describe('the body of a job', () => {
  it('is the text itself where that has an input, so that large numbers survive', async () => {
    const text = '{ "input": {"n": 12345678901234567890}, "policy": {"ttl": 60000} }';
    expect(await bodyOf(text)).toBe(text);
  });

  it('has any other object as its input', async () => {
    expect(await bodyOf('{"n": 12345678901234567890}')).toBe('{"input":{"n": 12345678901234567890}}');
    expect(await bodyOf(undefined)).toBe('{"input":{}}');
  });

  it('is refused before it is sent where it is no object, or no JSON', async () => {
    await expect(bodyOf('{"n": ')).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('JSON') });
    await expect(bodyOf('no/such/file.json')).rejects.toMatchObject({ exitCode: 2 });
  });
});
