import type { MenuItemConstructorOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PSEUDO } from '#contract/language/translation.ts';
import { trayTemplate, type TrayActions } from '../background/tray/menu.ts';
import { readLink } from '../links/deepLink.ts';
import { menuTemplate } from '../menu/template.ts';
import { updateFailure } from '../updates/failureWords.ts';
import { chooseTexts, counted, menuCase, t } from './text.ts';

const nothing = (): void => undefined;
const trayActions: TrayActions = {
  open: nothing,
  openSettings: nothing,
  pause: nothing,
  resume: nothing,
  openPod: nothing,
  stopPod: nothing,
  quit: nothing,
};
const menuActions = {
  send: nothing,
  newWindow: nothing,
  newKey: nothing,
  documentation: nothing,
  logsFolder: nothing,
  reportProblem: nothing,
};

/** The labels of the items and of those below them. */
const labelsOf = (items: readonly MenuItemConstructorOptions[]): string[] =>
  items.flatMap(({ label, submenu }) => [
    ...(label === undefined ? [] : [label]),
    ...(Array.isArray(submenu) ? labelsOf(submenu) : []),
  ]);
const hasNoBrackets = (text: string): boolean => !text.startsWith('⟦');

afterEach(() => chooseTexts([]));

describe('the desktop host in the language of testers', () => {
  beforeEach(() => chooseTexts([PSEUDO]));

  it.each(['linux', 'win32', 'darwin'] as const)(
    'has no item in its menu on %s that a translation misses',
    (platform) => {
      const labels = labelsOf(menuTemplate(platform, menuActions));
      expect(labels.length).toBeGreaterThan(20);
      expect(labels.filter(hasNoBrackets)).toEqual([]);
    },
  );

  it('has no item in the menu of the tray that a translation misses, but names', () => {
    const activity = { state: 'running', running: 2, message: null, isByRule: false, until: null } as const;
    const pod = { accountId: 'a', accountName: 'work', podId: 'p', name: 'trainer', costPerHr: 1, isLocked: true };
    const facts = { load: { queued: 1, gpuPercent: 5, hasGpus: true }, pods: [{ ...pod, volumePath: null }] };
    const labels = labelsOf(trayTemplate(activity, facts, trayActions));
    expect(labels.length).toBeGreaterThan(10);
    expect(labels.filter(hasNoBrackets)).toEqual(['trainer (work) · ⟦$1.00/h⟧']);
  });

  it('says in it why a link does not open and why an update failed', () => {
    expect(readLink('hangar://nothing')).toMatchObject({ problem: expect.stringMatching(/^⟦/) as string });
    expect(updateFailure({ code: 'ENOSPC', message: '' })).toMatch(/^⟦/);
  });
});

describe('a text of the desktop host', () => {
  it('is English where no translation fits', () => {
    chooseTexts(['xx', 'en-GB']);
    expect(t`Stop the Pod ${'a'}?`).toBe('Stop the Pod a?');
    expect(counted(1, '{0} job', '{0} jobs')).toBe('1 job');
  });

  it('is in title case in an English menu, and as it is in another language', () => {
    expect(menuCase('Open the logs folder')).toBe('Open the Logs Folder');
    chooseTexts([PSEUDO]);
    expect(menuCase(t`Open the logs folder`)).toBe('⟦Open the logs folder⟧');
  });
});
