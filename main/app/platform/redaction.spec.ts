/** Rules of the redaction list. */
import { describe, expect, it } from 'vitest';
import { neverWrite, redact } from './redaction.ts';

describe('redact', () => {
  it.each([
    'rpa_ABCDEF1234567890',
    'Authorization: Bearer abcdefgh12345678',
    '{"authorization":"abcdefgh12345678"}',
    JSON.stringify({ body: JSON.stringify({ s3Config: { accessSecret: 'abcdefgh12345678' } }) }),
    'POST http://host/graphql?x=1&api_key=abcdefgh12345678&y=2',
    'http://127.0.0.1:47801/?pair=abcdefgh12345678',
    'https://user:abcdefgh12345678@host/path',
    JSON.stringify({ err: 'the first line\nrpa_ABCDEF1234567890' }),
    'https://host/?given=Bearer%20rpa_ABCDEF1234567890',
  ])('masks the secret in %s', (text) => {
    expect(redact(text)).toContain('•••');
    expect(redact(text)).not.toMatch(/abcdefgh12345678|ABCDEF1234567890/);
  });

  it('masks secrets that are known, whatever they look like', () => {
    expect(redact('the word is sesame', ['sesame', ''])).toBe('the word is •••');
  });

  it('masks a key that was used, whatever it looks like, also in an address, in JSON and within base64', () => {
    const key = 'sk/live+"12" = of another service';
    const spelt = [key, encodeURIComponent(key), JSON.stringify({ key: { key } })];
    for (const text of spelt) expect(redact(text)).toContain('another');
    neverWrite(key);
    for (const text of spelt) expect(redact(text)).not.toMatch(/live|another/);
    for (const before of ['', 'u', 'us', 'user:']) {
      const coded = Buffer.from(`${before}${key}`).toString('base64');
      expect(Buffer.from(redact(`x ${coded}`).slice(2), 'base64').toString('latin1')).not.toMatch(/live|another/);
    }
  });

  it('leaves alone what is too short to be told from other words', () => {
    neverWrite('engine');
    expect(redact('the engine is ready')).toBe('the engine is ready');
  });

  it('leaves everything else as it is', () => {
    const text = '{"level":30,"msg":"engine ready","address":"http://127.0.0.1:47800","jobId":"a-b"}';
    expect(redact(text)).toBe(text);
  });
});
