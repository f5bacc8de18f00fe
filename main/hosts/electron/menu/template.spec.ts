import { describe, expect, it } from 'vitest';
import type { MenuItemConstructorOptions } from 'electron';
import type { HostMessage } from '#contract/app/hostMessage.ts';
import { menuTemplate } from './template.ts';

const sent: HostMessage[] = [];
const nothing = (): void => undefined;
const actions = {
  send: (message: HostMessage) => void sent.push(message),
  newWindow: nothing,
  newKey: nothing,
  documentation: nothing,
  logsFolder: nothing,
  reportProblem: nothing,
};
const itemsOf = (item: MenuItemConstructorOptions): MenuItemConstructorOptions[] =>
  Array.isArray(item.submenu) ? item.submenu : [];
const all = (platform: NodeJS.Platform): MenuItemConstructorOptions[] =>
  menuTemplate(platform, actions).flatMap((menu) => [menu, ...itemsOf(menu)]);

describe.each(['linux', 'win32', 'darwin'] as const)('the menu on %s', (platform) => {
  it('has the menus that people expect there', () => {
    const labels = menuTemplate(platform, actions).map(({ label, role }) => label?.replace('&', '') ?? role);
    const everywhere = ['File', 'Edit', 'View', 'Go', 'Window', 'Help'];
    expect(labels).toEqual(platform === 'darwin' ? ['appMenu', ...everywhere] : everywhere);
  });

  it('shows each key once', () => {
    const keys = all(platform).flatMap(({ accelerator }) => (accelerator === undefined ? [] : [accelerator]));
    expect(keys.length).toBeGreaterThan(14);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('has one way to quit, to the settings and to what is said about Hangar', () => {
    const items = all(platform);
    expect(items.filter(({ role }) => role === 'quit')).toHaveLength(1);
    expect(items.filter(({ role }) => role === 'about')).toHaveLength(1);
    expect(items.filter(({ id }) => id === 'page-settings')).toHaveLength(1);
  });

  it('numbers the pages as the page does, and leaves the keys to it', () => {
    const pages = all(platform).filter(({ id }) => id?.startsWith('page-'));
    expect(pages.map(({ accelerator }) => accelerator)).toContain('CommandOrControl+9');
    expect(pages.find(({ id }) => id === 'page-run')).toMatchObject({
      accelerator: 'CommandOrControl+1',
      registerAccelerator: false,
    });
  });
});
