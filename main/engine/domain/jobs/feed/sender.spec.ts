/** How the sender of a job is told from its key and its user agent. */
import { expect, test } from 'vitest';
import { clientName, readSender, senderOf } from './sender.ts';

test.each([
  ['curl/8.5.0', 'curl'],
  ['python-requests/2.32.3', 'python-requests'],
  ['RunPod-Python-SDK/1.7.9 (Linux; x86_64) Language/Python 3.11', 'RunPod-Python-SDK'],
  ['node', 'node'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/130', 'browser'],
  ['  ', null],
  [undefined, null],
])('the user agent %j names the program %j', (agent, name) => {
  expect(clientName(agent)).toBe(name);
});

test('a job has the program and the name of the key of its sender', () => {
  const sender = senderOf('trainer', 'curl/8.5.0');
  expect(readSender(sender)).toEqual({ own: false, keyName: 'trainer', client: 'curl' });
  expect(readSender(senderOf('two\nlines', undefined))).toEqual({
    own: false,
    keyName: 'two\nlines',
    client: null,
  });
});

test('only Hangar itself with the key of the run is the host', () => {
  expect(readSender(senderOf(null, 'Hangar'))).toEqual({ own: true, keyName: null, client: null });
  expect(readSender(senderOf(null, 'curl/8.5.0'))).toEqual({ own: false, keyName: null, client: 'curl' });
  expect(readSender(senderOf('other machine', 'Hangar'))).toMatchObject({ own: false, client: 'Hangar' });
});
