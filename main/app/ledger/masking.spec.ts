/** Rules of masking storage secrets in request bodies. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../platform/redaction.ts';
import { maskSecrets, withoutWebhook } from './masking.ts';

describe('maskSecrets', () => {
  it('leaves a body without s3Config exactly as it was written', () => {
    const body = '{ "input" : { "s3Config": 1, "n": 12345678901234567890 } }';
    expect(maskSecrets(body)).toBe(body);
  });

  it('keeps bucket and address, and masks everything else, known or not', () => {
    const body =
      '{"s3Config":{"accessId":"A","accessSecret":"B","bucketName":"c","endpointUrl":"d","sessionToken":"E"},"input":{}}';
    expect(maskSecrets(body)).toBe(
      '{"s3Config":{"accessId":"•••","accessSecret":"•••","bucketName":"c","endpointUrl":"d","sessionToken":"•••"},"input":{}}',
    );
  });

  it('remembers the secrets that it masks, so that they are hidden where the job repeats them', () => {
    const secret = 'only/in+this=test';
    expect(redact(`denied for ${secret}`)).toContain(secret);
    maskSecrets(JSON.stringify({ input: {}, s3Config: { accessSecret: secret, bucketName: 'a-public-name' } }));
    expect(redact(`denied for ${secret}, at a-public-name`)).toMatch(/^denied for (?!only).*, at a-public-name$/);
  });

  it('lets no secret through, however often the field is repeated and whatever its type', () => {
    const secret = fc.constantFrom(
      '"TOPSECRET"',
      '["TOPSECRET"]',
      '{"accessSecret":"TOPSECRET"}',
      '{"x":{"y":"TOPSECRET"}}',
    );
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 3 }), (values) => {
        const body = `{"input":{},${values.map((value) => `"s3Config":${value}`).join(',')}}`;
        expect(maskSecrets(body)).not.toContain('TOPSECRET');
      }),
    );
  });
});

describe('withoutWebhook', () => {
  it.each([
    ['{"input":{"n":12345678901234567890},"webhook":"https://a/TOKEN"}', '{"input":{"n":12345678901234567890}}'],
    ['{ "webhook" : "https://a/TOKEN" , "input": {} }', '{"input": {} }'],
    ['{"a":1,"webhook":"https://a/TOKEN","input":{}}', '{"a":1,"input":{}}'],
    ['{"webhook":"https://a/TOKEN"}', '{}'],
    ['{"webhook":"https://a/TOKEN","input":{},"webhook":"https://b/TOKEN"}', '{"input":{}}'],
    [String.raw`{"input":{},"\u0077ebhook":"https://a/TOKEN"}`, '{"input":{}}'],
    ['{"input":{"webhook":"kept"},"webhook":"https://a/TOKEN"}', '{"input":{"webhook":"kept"}}'],
    ['{"input":{"webhook":"kept"}}', '{"input":{"webhook":"kept"}}'],
    ['', ''],
  ])('%s is stored as %s', (body, stored) => {
    expect(withoutWebhook(body)).toBe(stored);
  });
});
