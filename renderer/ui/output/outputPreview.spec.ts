import { expect, it } from 'vitest';
import { hasOwnPicture, previewOfOutput } from './outputPreview.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

it.each([
  ['a text without its quotes', '"Hello, \\"you\\""', 'Hello, "you"'],
  ['a number as it is', '9007199254740993', '9007199254740993'],
  ['an object as its fields', '{"answer":42,"words":["a","b"]}', 'answer 42 · words a, b'],
  ['a list as its items', '[1,{"a": 1}]', '1, {"a": 1}'],
  ['the chunks of a text as the text', '["Hello, ","ada! "]', 'Hello, ada! '],
  ['such chunks in a field as well', '{"tokens":["Hello"," ada"],"n":2}', 'tokens Hello ada · n 2'],
  ['the start of such chunks', '["Hello, ","ada! ","an', 'Hello, ada! '],
  ['pictures by their type', `{"images":["${PNG}","${PNG}"],"seed":1}`, 'images PNG, PNG · seed 1'],
  ['a picture alone by its type', `"data:image/png;base64,${PNG}"`, 'PNG'],
  ['a picture whose end is cut off by its type', `{"seed":1,"images":["${PNG.slice(0, 60)}`, 'seed 1 · images PNG…'],
  ['an address as it is', '{"url":"https://x.test/a.png"}', 'url https://x.test/a.png'],
  ['the start of an object as the fields that are whole', '{"a":1,"text":"It was a dark and stor', 'a 1'],
  ['the start of a long text without its quote', '"It was a \\"dark', 'It was a "dark'],
  ['a text that is cut off within a sign', '"It was\\u00', 'It was\\u00'],
  ['the start of a picture alone by its type', `"${PNG.slice(0, 60)}`, 'PNG…'],
  ['nothing as nothing', '', ''],
])('shows %s', (_, start, words) => {
  expect(previewOfOutput(start)).toBe(words);
});

it.each([
  [`{"seed":1,"images":["${PNG.slice(0, 60)}`, true],
  [`"data:image/png;base64,${PNG}"`, true],
  ['{"image":"https://x.test/a.png"}', false],
  ['{"text":"a picture"}', false],
])('%j has a picture in itself: %s', (start, has) => expect(hasOwnPicture(start)).toBe(has));
