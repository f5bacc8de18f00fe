/** What a job is about, by its request. */
import { expect, test } from 'vitest';
import { previewOf } from './preview.ts';

test.each([
  ['the prompt', { steps: 4, style: 'oil', prompt: 'four cats\n playing  poker' }, 'four cats playing poker'],
  [
    'the last message of a chat',
    { messages: [{ content: 'be kind' }, { content: 'Why is it blue?' }] },
    'Why is it blue?',
  ],
  [
    'the text of a message in parts',
    { messages: [{ content: [{ type: 'image' }, { type: 'text', text: 'What is this?' }] }] },
    'What is this?',
  ],
  [
    'a message to an OpenAI route',
    { openai_route: '/v1/chat/completions', openai_input: { messages: [{ content: 'Hello' }] } },
    'Hello',
  ],
  ['the first long text', { image: `data:image/png;base64,AAAA`, voice: 'anna, in a hurry' }, 'anna, in a hurry'],
  ['all fields where texts are short', { n: 99, label: 'd' }, 'n 99 · label d'],
  ['a summary where there is no text', { n: 3, list: [1, 2], deep: { a: 1 } }, 'n 3 · list 2 items · deep {…}'],
  ['no more than a line', { prompt: 'a'.repeat(50).concat(' ').repeat(9) }, `${`${'a'.repeat(50)} `.repeat(3)}aaaaaa…`],
  ['nothing of an empty input', {}, null],
])('it is %s', (_, input, preview) => {
  expect(previewOf(JSON.stringify({ input }))).toBe(preview);
});

test('an input that is a picture as text, and one that is very long, have none of their own', () => {
  expect(previewOf(JSON.stringify({ input: { image: 'A'.repeat(500) } }))).toBe('image data');
  expect(previewOf(JSON.stringify({ input: { prompt: 'x '.repeat(200_000) } }))).toBeNull();
  expect(previewOf('')).toBeNull();
});
