import { useState } from 'react';
import { Tabs } from '@mantine/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { TabBar } from './TabBar.tsx';

const names = ['Overview', 'Metrics', 'Logs', 'Settings'] as const;

// Room for two tabs of 100 px and the button.
const ROOM = 250;
const TAB = 100;
const MORE = 40;
beforeEach(() => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function widthOf(this: Element) {
    if (this.getAttribute('aria-label') === 'More tabs') return new DOMRect(0, 0, MORE, 20);
    return new DOMRect(0, 0, this.tagName === 'BUTTON' ? TAB : ROOM, 20);
  });
});
afterEach(() => vi.restoreAllMocks());

function Page() {
  const [tab, setTab] = useState<string>('Overview');
  return (
    <Tabs value={tab} onChange={(next) => setTab(next ?? '')}>
      <TabBar
        label="Endpoint"
        tabs={names.map((name) => ({ value: name, title: name }))}
        value={tab}
        onChange={setTab}
      />
      {names.map((name) => (
        <Tabs.Panel key={name} value={name}>{`About ${name}`}</Tabs.Panel>
      ))}
    </Tabs>
  );
}

it('a tab without room is chosen in a menu, and takes a place in the row and the focus', async () => {
  const { screen, user } = renderPage(<Page />);
  const shown = () => screen.getAllByRole('tab').map(({ textContent }) => textContent);
  expect(shown()).toEqual(['Overview', 'Metrics']);
  await user.click(screen.getByRole('button', { name: 'More tabs' }));
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Logs', 'Settings']);
  await user.click(screen.getByRole('menuitem', { name: 'Settings' }));
  expect(shown()).toEqual(['Overview', 'Settings']);
  await expect.poll(() => document.activeElement).toBe(screen.getByRole('tab', { name: 'Settings', selected: true }));
  expect(screen.getByRole('tabpanel')).toHaveTextContent('About Settings');
});

it('the arrows go round the tabs that are shown', async () => {
  const { screen, user } = renderPage(<Page />);
  screen.getByRole('tab', { name: 'Overview' }).focus();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('tab', { name: 'Metrics', selected: true })).toHaveFocus();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('tab', { name: 'Overview', selected: true })).toHaveFocus();
  await user.keyboard('{Tab}');
  expect(screen.getByRole('button', { name: 'More tabs' })).toHaveFocus();
});
