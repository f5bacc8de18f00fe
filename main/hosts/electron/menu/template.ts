/** The application menu as data: pages and commands with their shortcuts, and the standard roles of each system. */
import type { MenuItemConstructorOptions } from 'electron';
import { pageCommands, type HostMessage, type PageAction } from '#contract/app/hostMessage.ts';
import { pageFacts, type PageFacts } from '#contract/app/pages.ts';
import { keysOf } from '#contract/core/keysOf.ts';
import { menuCase, t, translated } from '../language/text.ts';

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

function commandItem(action: PageAction, send: MenuActions['send']): Item {
  const { title, key, opensDialog } = pageCommands[action];
  return {
    id: `do-${action}`,
    label: `${menuCase(translated(title))}${opensDialog ? '…' : ''}`,
    // The page handles its shortcuts itself, also while a field or a terminal has the focus; the menu only shows them.
    ...(key !== null && { accelerator: acceleratorOf(key), registerAccelerator: false }),
    click: () => send({ type: 'do', action }),
  };
}

function pageItem(name: keyof typeof pageFacts, send: MenuActions['send']): Item {
  const { title, key }: PageFacts = pageFacts[name];
  return {
    id: `page-${name}`,
    label: name === 'settings' ? `${translated(title)}…` : translated(title),
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
      label: t`&File`,
      submenu: [
        {
          id: 'new-window',
          label: menuCase(t`New window`),
          accelerator: 'CommandOrControl+Shift+N',
          click: actions.newWindow,
        },
        separator,
        command('new-endpoint'),
        command('new-pod'),
        command('new-account'),
        separator,
        { id: 'new-api-key', label: menuCase(t`New API key, copied to the clipboard…`), click: actions.newKey },
        separator,
        ...(isMac ? [] : [settings, separator]),
        { role: 'close' },
        ...(isMac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { label: t`&Edit`, role: 'editMenu' },
    {
      label: t`&View`,
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
      label: t`&Go`,
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
    { label: t`&Window`, role: 'windowMenu' },
    {
      role: 'help',
      label: t`&Help`,
      submenu: [
        { id: 'documentation', label: t`API documentation`, click: actions.documentation },
        command('shortcuts'),
        separator,
        { id: 'logs-folder', label: menuCase(t`Open the logs folder`), click: actions.logsFolder },
        { id: 'report-problem', label: menuCase(t`Report a problem…`), click: actions.reportProblem },
        ...(isMac ? [] : [separator, ...more, { role: 'about' } as const]),
      ],
    },
  ];
}
