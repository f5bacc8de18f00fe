import { Button } from '@mantine/core';
import { waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useOverlays } from '../../state/overlays.ts';
import { codeFolderOf, pathBelow, showCode } from './handlerCode.ts';

it.each([
  ['a folder of this computer', THIS_MACHINE, 'file:///home/me/a%20b', '/home/me/a b'],
  ['a folder of another computer', 'far', 'file:///home/me/greet', null],
  ['an image', THIS_MACHINE, 'python:3.12', null],
  ['a text that is no address', THIS_MACHINE, 'file:///100%', null],
  ['a deleted template', THIS_MACHINE, null, null],
])('the code of %s', (_what, accountId, imageName, folder) => {
  expect(codeFolderOf(accountId, imageName)).toBe(folder);
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

it('The code of a handler is shown in the files of this computer, and stays where it is if Hangar does not show them', async () => {
  const { user, screen } = renderPage(
    <>
      <Button onClick={() => void showCode('/home/me/code/greet', 'handler.py')}>at home</Button>
      <Button onClick={() => void showCode('/srv/greet', null)}>elsewhere</Button>
    </>,
    { files: { thisComputer: () => ({ folder: '/home/me', problem: null }) } },
  );
  await user.click(screen.getByRole('button', { name: 'elsewhere' }));
  expect(await screen.findByText('Hangar shows the files in /home/me. Open /srv/greet in your editor.')).toBeVisible();
  expect(location.hash).toBe('');
  await user.click(screen.getByRole('button', { name: 'at home' }));
  await waitFor(() => expect(location.hash).toBe('#/resources/computer/code%2Fgreet'));
  expect(useOverlays.getState().openFile).toBe('code/greet/handler.py');
});
