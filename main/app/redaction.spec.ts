/** Rules of the redaction list. */
import { describe, expect, it } from 'vitest';
import { redact } from './redaction.ts';

describe('redact', () => {
  it.each([
    'rpa_ABCDEF1234567890',
    'Authorization: Bearer abcdefgh12345678',
    '{"authorization":"abcdefgh12345678"}',
    JSON.stringify({ body: JSON.stringify({ s3Config: { accessSecret: 'abcdefgh12345678' } }) }),
    'POST http://host/graphql?x=1&api_key=abcdefgh12345678&y=2',
    'http://127.0.0.1:47801/?pair=abcdefgh12345678',
    'https://user:abcdefgh12345678@host/path',
  ])('masks the secret in %s', (text) => {
    expect(redact(text)).toContain('•••');
    expect(redact(text)).not.toMatch(/abcdefgh12345678|ABCDEF1234567890/);
  });

  it('masks secrets that are known, whatever they look like', () => {
    expect(redact('the word is sesame', ['sesame', ''])).toBe('the word is •••');
  });

  it('leaves everything else as it is', () => {
    const text = '{"level":30,"msg":"engine ready","address":"http://127.0.0.1:47800","jobId":"a-b"}';
    expect(redact(text)).toBe(text);
  });
});
