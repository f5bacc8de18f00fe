/** The application menu as data: pages and commands with their shortcuts, and the standard roles of each system. */
import type { MenuItemConstructorOptions } from 'electron';
import { pageCommands, type HostMessage, type PageAction } from '#contract/app/hostMessage.ts';
import { pageFacts, type PageFacts } from '#contract/app/pages.ts';
import { keysOf } from '#contract/core/keysOf.ts';

type Item = MenuItemConstructorOptions;

export interface MenuActions {
  /** Sends the message to the page of the last used window. */
  readonly send: (message: HostMessage) => void;
  readonly newWindow: () => void;
  readonly newKey: () => void;
  readonly documentation: () => void;
  readonly logsFolder: () => void;
  readonly reportProblem: () => void;
}

const separator: Item = { type: 'separator' };

/** `Mod+Shift+H` in the syntax of Electron. */
const acceleratorOf = (keys: string): string => keys.replace('Mod', 'CommandOrControl');

/** Titles of menus are in title case, titles of the page in sentence case. */
const small = new Set(['a', 'an', 'and', 'in', 'of', 'or', 'the', 'this', 'to']);
export const titleCase = (text: string): string =>
  text
    .split(' ')
    .map((word, index) => (index > 0 && small.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ');

function commandItem(action: PageAction, send: MenuActions['send']): Item {
  const { title, key, opensDialog } = pageCommands[action];
  return {
    id: `do-${action}`,
    label: `${titleCase(title)}${opensDialog ? '…' : ''}`,
    // The page handles its shortcuts itself, also while a field or a terminal has the focus; the menu only shows them.
    ...(key !== null && { accelerator: acceleratorOf(key), registerAccelerator: false }),
    click: () => send({ type: 'do', action }),
  };
}

function pageItem(name: keyof typeof pageFacts, send: MenuActions['send']): Item {
  const { title, key }: PageFacts = pageFacts[name];
  return {
    id: `page-${name}`,
    label: name === 'settings' ? `${title}…` : title,
    ...(key !== null && { accelerator: acceleratorOf(key), registerAccelerator: false }),
    click: () => send({ type: 'open', address: `#/${name}` }),
  };
}

/** `more`: entries about updates, above "About". */
export function menuTemplate(platform: NodeJS.Platform, actions: MenuActions, more: readonly Item[] = []): Item[] {
  const isMac = platform === 'darwin';
  const { send } = actions;
  const command = (action: PageAction): Item => commandItem(action, send);
  const settings = pageItem('settings', send);
  const names = keysOf(pageFacts);
  const appMenu: Item = {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      ...more,
      separator,
      settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  };
  return [
    ...(isMac ? [appMenu] : []),
    {
      label: '&File',
      submenu: [
        {
          id: 'new-window',
          label: 'New Window',
          accelerator: 'CommandOrControl+Shift+N',
          click: actions.newWindow,
        },
        separator,
        command('new-endpoint'),
        command('new-pod'),
        command('new-account'),
        separator,
        { id: 'new-api-key', label: 'New API Key (Copied to the Clipboard)…', click: actions.newKey },
        separator,
        ...(isMac ? [] : [settings, separator]),
        { role: 'close' },
        ...(isMac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { label: '&Edit', role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        ...names.filter((name) => name !== 'settings').map((name) => pageItem(name, send)),
        separator,
        { role: 'reload' },
        { role: 'toggleDevTools' },
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' },
      ],
    },
    {
      label: '&Go',
      submenu: [
        {
          ...command('back'),
          accelerator: isMac ? 'Command+[' : 'Alt+Left',
        },
        {
          ...command('forward'),
          accelerator: isMac ? 'Command+]' : 'Alt+Right',
        },
        separator,
        command('palette'),
        command('targets'),
      ],
    },
    { label: '&Window', role: 'windowMenu' },
    {
      role: 'help',
      label: '&Help',
      submenu: [
        { id: 'documentation', label: 'Documentation of the API', click: actions.documentation },
        command('shortcuts'),
        separator,
        { id: 'logs-folder', label: 'Open the Logs Folder', click: actions.logsFolder },
        { id: 'report-problem', label: 'Report a Problem…', click: actions.reportProblem },
        ...(isMac ? [] : [separator, ...more, { role: 'about' } as const]),
      ],
    },
  ];
}
