/** A menu and a tooltip that are loaded when they are used: their element stays, and the focus comes back. */
import { afterEach, expect, it, vi } from 'vitest';
import { useState } from 'react';
import { Menu } from '@mantine/core';
import { renderPage } from '../../../test/support/page/render.tsx';
import { deferredPart } from '../page/deferredPart.ts';
import { AnchoredMenu, type AnchoredProps } from './AnchoredMenu.tsx';
import { MenuButton } from './MenuButton.tsx';
import { Tip } from './Tip.tsx';

/** How often a module is asked for before it counts as missing. */
const ATTEMPTS = 3;

afterEach(() => void vi.unstubAllGlobals());

const Colours = deferredPart<AnchoredProps>(() =>
  Promise.resolve({
    default: (anchored: AnchoredProps) => (
      <AnchoredMenu {...anchored}>
        <Menu.Item>Red</Menu.Item>
      </AnchoredMenu>
    ),
  }),
);

function ColourButton() {
  const [opened, setOpened] = useState(false);
  return (
    <MenuButton opened={opened} onChange={setOpened} menu={Colours}>
      <Tip label="Choose a colour">
        <button>Colour</button>
      </Tip>
    </MenuButton>
  );
}

it('A menu that is loaded by its first click belongs to the same button, and gives it the focus back', async () => {
  const { user, screen } = renderPage(<ColourButton />);
  const button = screen.getByRole('button', { name: 'Colour' });
  expect(button).toHaveAttribute('aria-expanded', 'false');
  await user.click(button);
  expect(await screen.findByRole('menuitem', { name: 'Red' })).toBeVisible();
  expect(await screen.findByRole('menu', { name: 'Colour' })).toHaveAttribute(
    'id',
    button.getAttribute('aria-controls') ?? 'none',
  );
  expect(screen.getByText('Colour')).toBe(button);
  await user.keyboard('{Escape}');
  await expect.poll(() => document.activeElement).toBe(button);
  expect(button).toHaveAttribute('aria-expanded', 'false');
  await user.click(button);
  await screen.findByRole('menuitem', { name: 'Red' });
  await user.click(button);
  await expect.poll(() => screen.queryByRole('menu')).toBe(null);
});

it('A tooltip that is loaded by its first use shows its label until Escape or until the pointer leaves', async () => {
  const { user, screen } = renderPage(
    <Tip label="Choose a colour">
      <button>Colour</button>
    </Tip>,
  );
  const button = screen.getByRole('button', { name: 'Colour' });
  expect(screen.queryByText('Choose a colour')).toBe(null);
  await user.hover(button);
  expect(await screen.findByText('Choose a colour')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Colour' })).toBe(button);
  await user.unhover(button);
  await expect.poll(() => screen.queryByText('Choose a colour')).toBe(null);
  await user.hover(button);
  await screen.findByText('Choose a colour');
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByText('Choose a colour')).toBe(null);
});

it('A part whose file is gone while Hangar answers shows nothing, and leaves its button', async () => {
  let attempts = 0;
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()));
  const Broken = deferredPart<AnchoredProps>(() => {
    attempts += 1;
    return Promise.reject(new Error('There is no such file.'));
  });
  const { user, screen } = renderPage(
    <MenuButton opened onChange={() => undefined} menu={Broken}>
      <button>Colour</button>
    </MenuButton>,
  );
  await expect.poll(() => attempts).toBeGreaterThanOrEqual(ATTEMPTS);
  await user.click(screen.getByRole('button', { name: 'Colour' }));
  expect(screen.getByRole('button', { name: 'Colour' })).toBeVisible();
  expect(screen.queryByRole('menu')).toBe(null);
});

it('A part that is opened while nobody answers comes as soon as somebody does', async () => {
  let isAway = true;
  let calls = 0;
  vi.stubGlobal('fetch', () => {
    calls += 1;
    return isAway ? Promise.reject(new TypeError('Nobody answers.')) : Promise.resolve(new Response());
  });
  const Away = deferredPart<AnchoredProps>(() =>
    isAway
      ? Promise.reject(new Error('Nobody answers.'))
      : Promise.resolve({
          default: (anchored: AnchoredProps) => (
            <AnchoredMenu {...anchored}>
              <Menu.Item>Green</Menu.Item>
            </AnchoredMenu>
          ),
        }),
  );
  const { screen } = renderPage(
    <MenuButton opened onChange={() => undefined} menu={Away}>
      <button>Colour</button>
    </MenuButton>,
  );
  await expect.poll(() => calls).toBe(1);
  expect(screen.queryByRole('menu')).toBe(null);
  isAway = false;
  expect(await screen.findByRole('menuitem', { name: 'Green' })).toBeVisible();
});
