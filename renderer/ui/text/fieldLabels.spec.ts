import { expect, test } from 'vitest';
import { formatCount } from './format.ts';
import { fieldProblem, withFieldLabels } from './fieldLabels.ts';

test.each([
  ['executionTimeoutMs must be a whole number from 5000 to 604800000; got 1000.', 'From 5 s to 7 d.'],
  ['limits.runBodyBytes must be a whole number from 1024 to 104857600; got 1.', 'From 1.0 KB to 100 MB.'],
  ['machine.prices.cpuHour must be a number from 0 to 1000000; got -3.', `From 0 to ${formatCount(1_000_000)}.`],
  ['The engine does not answer.', 'The engine does not answer.'],
])('the refusal "%s" is shown as "%s"', (message, shown) => expect(fieldProblem(message)).toBe(shown));

test.each([
  [
    "The folder /a/b does not exist. Put it back, or change the template's imageName.",
    'The folder /a/b does not exist. Put it back, or change "Folder" in the settings.',
  ],
  ['Add a handler.py, or set dockerStartCmd of the template.', 'Add a handler.py, or set "Command".'],
  ["There is no image a/b. Check the Pod's imageName.", 'There is no image a/b. Check "Image" of the Pod.'],
  ['imageName is needed.', '"Folder or image" is needed.'],
])('the advice "%s" is shown as "%s"', (message, shown) => expect(withFieldLabels(message)).toBe(shown));
