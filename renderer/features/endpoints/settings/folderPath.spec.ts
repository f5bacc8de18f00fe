import { expect, it } from 'vitest';
import { pastedFolder } from './folderPath.ts';

it.each([
  ['file:///home/me/my%20handler', '/home/me/my handler'],
  ['file://localhost/srv/sdxl/', '/srv/sdxl/'],
  ['  FILE:///tmp/%C3%BCber\n', '/tmp/über'],
  ['file:///C:/models/sdxl', 'C:/models/sdxl'],
  ['/home/me/file:///x', '/home/me/file:///x'],
  ['file:///', 'file:///'],
  ['file:///tmp/100%', 'file:///tmp/100%'],
  ['~/projects ', '~/projects '],
])('the folder in %j is %j', (text, path) => expect(pastedFolder(text)).toBe(path));
