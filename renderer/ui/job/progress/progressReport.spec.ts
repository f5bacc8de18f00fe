import { expect, it } from 'vitest';
import { readProgressReport } from './progressReport.ts';

it.each([
  ['a sentence', '"Loading the model"', null, 'Loading the model'],
  ['a sentence with steps', '"Update 3/20"', 0.15, 'Update 3/20'],
  ['a sentence with a percentage', '"12.5 % of the frames"', 0.125, '12.5 % of the frames'],
  ['a date in a sentence', '"since 2026/11/28"', null, 'since 2026/11/28'],
  ['more steps than there are', '"4/3"', null, '4/3'],
  ['a part of one', '0.25', 0.25, ''],
  ['a percentage as a number', '40', 0.4, ''],
  ['a number that may mean all or one percent', '1', null, '1'],
  ['a number out of range', '4000', null, '4000'],
  ['a percentage by its name', '{"percent": 1, "stage": "denoise"}', 0.01, 'denoise · percent: 1'],
  ['steps by their names', '{"step": 5, "steps": 20}', 0.25, 'step: 5 · steps: 20'],
  ['the progress of an image model', '{"progress": 0.5, "eta": 3.1}', 0.5, 'progress: 0.5 · eta: 3.1'],
  ['steps in the sentence of an object', '{"message": "step 1/4", "seed": 7}', 0.25, 'step 1/4 · seed: 7'],
  ['members with members', '{"node": {"id": 3, "of": [1, 2]}}', null, 'node: {"id": 3, "of": [1, 2]}'],
  ['a list', '[1, 2]', null, '[1, 2]'],
  ['lines', JSON.stringify('one\n  two'), null, 'one two'],
])('reads %s', (_what, json, share, text) => {
  expect(readProgressReport(json)).toEqual({ share, text });
});

it.each([['null'], ['""'], ['{"cut']])('says nothing of %s', (json) => {
  expect(readProgressReport(json)).toBeNull();
});

it('cuts a long text, so that a picture in base64 does not fill the page', () => {
  const { text } = readProgressReport(JSON.stringify({ preview: 'A'.repeat(5000), step: 1 }))!;
  expect(text.length).toBeLessThan(320);
});
