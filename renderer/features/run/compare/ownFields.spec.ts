import { expect, it } from 'vitest';
import { cannotTakeFields, fieldWords, NO_FIELDS, splitBodies, withFields } from './ownFields.ts';

const own = '{"input": {"seed": 7, "negative": "fog"}}';

it('fields of a column replace those of the shared body, and leave the rest of its text as it is', () => {
  const body = '{"input": {"seed":  1, "n": 9007199254740993}, "policy": {"ttl": 10000}}';
  expect(withFields(body, own)).toBe(
    '{"input": {"seed":  7, "n": 9007199254740993, "negative": "fog"}, "policy": {"ttl": 10000}}',
  );
  expect(withFields(body, NO_FIELDS)).toBe(body);
});

it('bodies of a comparison become a shared body and fields of each, which make the same bodies again', () => {
  const bodies = [
    '{"input": {"prompt": "sea", "seed": 1}}',
    '{"input": {"prompt": "sea", "seed": 7}}',
    '{"input": {"prompt": "sea"}}',
  ];
  const split = splitBodies(bodies);
  expect(split).toEqual({
    shared: '{"input": {"prompt": "sea"}}',
    own: ['{"input": { "seed": 1 }}', '{"input": { "seed": 7 }}', NO_FIELDS],
  });
  const again = split.own.map((fields) => JSON.parse(withFields(split.shared, fields)));
  expect(again).toEqual(bodies.map((body) => JSON.parse(body)));
  expect(splitBodies(['{"input": "sea"}', '{"input": "sea"}'])).toEqual({
    shared: '{"input": "sea"}',
    own: [NO_FIELDS, NO_FIELDS],
  });
});

it('fields of a column are named in a few words', () => {
  expect(fieldWords(own)).toBe('seed 7, negative "fog"');
  expect(fieldWords('{"input": {"prompt": "a long walk along a quiet harbour", "a": 1, "b": 2, "c": 3}}')).toBe(
    'prompt "a long walk along a qui…, a 1, b 2 and 1 more',
  );
});

it('fields of a column need an input that is an object', () => {
  const words = 'Columns have fields of their own, which need an object as "input".';
  expect(cannotTakeFields('{"input": [1]}', [{ own: NO_FIELDS }, { own }])).toBe(words);
  expect(cannotTakeFields('{"input": {}}', [{ own }])).toBeNull();
  expect(cannotTakeFields('{"input": [1]}', [{ own: NO_FIELDS }])).toBeNull();
});
