import { describe, expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { useOverlays } from '../../state/overlays.ts';
import { pathBelow } from './codeFolder.ts';
import { codeOf, showCode } from './handlerCode.ts';

it.each([
  ['a folder of this computer', THIS_MACHINE, 'file:///home/me/a%20b', '/home/me/a b'],
  ['a folder of another computer', 'far', 'file:///home/me/greet', null],
  ['an image', THIS_MACHINE, 'python:3.12', null],
  ['a text that is no address', THIS_MACHINE, 'file:///100%', null],
  ['a deleted template', THIS_MACHINE, null, null],
])('the code of %s', (_what, accountId, imageName, folder) => {
  expect(codeOf(accountId, { id: 'e', name: 'greet', imageName, readiness: null })?.folder ?? null).toBe(folder);
});

describe('a folder has a path below another one', () => {
  it.each([
    ['/home/me/greet', '/home/me', 'greet'],
    ['/home/me/code/greet/', '/home/me/', 'code/greet'],
    ['/home/me', '/home/me', ''],
    ['/home/mean', '/home/me', null],
    ['/srv/greet', '/home/me', null],
    ['/C:/Users/me/greet', 'C:\\Users\\me', 'greet'],
  ])('%s below %s: %s', (folder, top, path) => {
    expect(pathBelow(folder, top)).toBe(path);
  });
});

it('the file of a handler opens above the page, and its folder as a page where no file is known', () => {
  showCode({ endpointId: 'e', folder: '/srv/greet', file: '/srv/greet/parts/handler.py' });
  expect(useOverlays.getState().code).toEqual({ endpointId: 'e', path: 'parts/handler.py', line: null });
  showCode({ endpointId: 'e', folder: '/srv/greet', file: 'handler.py' });
  expect(useOverlays.getState().code).toEqual({ endpointId: 'e', path: 'handler.py', line: null });
  expect(location.hash).toBe('');
  showCode({ endpointId: 'e', folder: '/srv/greet', file: null });
  expect(location.hash).toBe('#/resources/handler/e');
});
