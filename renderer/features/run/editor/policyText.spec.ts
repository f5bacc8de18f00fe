import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPolicy, writePolicy } from './policyText.ts';

describe('the policy in a request body', () => {
  it('is added with the layout of its neighbours, and large numbers stay as written', () => {
    expect(writePolicy('{\n  "input": { "n": 9007199254740993 }\n}', 'ttl', '60000')).toBe(
      '{\n  "input": { "n": 9007199254740993 },\n  "policy": { "ttl": 60000 }\n}',
    );
  });

  it('is changed in place', () => {
    expect(writePolicy('{"input":{},"policy":{"ttl":1}}', 'ttl', '2')).toBe('{"input":{},"policy":{"ttl":2}}');
    expect(writePolicy('{"input":{},"policy":{"ttl":1}}', 'lowPriority', 'true')).toBe(
      '{"input":{},"policy":{"ttl":1, "lowPriority": true}}',
    );
  });

  it('goes away with its last value', () => {
    expect(writePolicy('{"input":{},"policy":{"ttl":1}}', 'ttl', null)).toBe('{"input":{}}');
    expect(writePolicy('{"policy":{"ttl":1,"executionTimeout":5000},"input":{}}', 'ttl', null)).toBe(
      '{"policy":{"executionTimeout":5000},"input":{}}',
    );
  });

  it('is left alone in a text that cannot be read', () => {
    expect(writePolicy('{"input":', 'ttl', '1')).toBe('{"input":');
    expect(readPolicy('{"input":')).toBeNull();
    expect(readPolicy('{"policy": 3}')).toBeNull();
  });

  it('can be set and taken away in any body without changing anything else', () => {
    const body = fc.record({ input: fc.object(), policy: fc.option(fc.record({ ttl: fc.nat() }), { nil: undefined }) });
    fc.assert(
      fc.property(body, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const set = writePolicy(text, 'executionTimeout', '7000');
        expect(JSON.parse(set)).toEqual({
          ...JSON.parse(text),
          policy: { ...value.policy, executionTimeout: 7000 },
        });
        expect(JSON.parse(writePolicy(set, 'executionTimeout', null))).toEqual(JSON.parse(text));
      }),
    );
  });
});
