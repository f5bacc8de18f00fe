import { act, render } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { asJson, personalSetting, personalSettings, rereadSettings } from './personalSetting.ts';

const colour = personalSetting('test.colour', z.enum(['red', 'blue']), 'red');
const sizes = personalSettings('test.sizes', asJson(z.record(z.string(), z.number())), null);

afterEach(() => vi.restoreAllMocks());

describe('a personal setting', () => {
  it('has its default until something is chosen, and keeps the choice over a reload', () => {
    expect(colour.get()).toBe('red');
    expect(colour.set('blue')).toBe(true);
    rereadSettings();
    expect(colour.get()).toBe('blue');
  });

  it('has its default where its schema does not take what is stored', () => {
    localStorage.setItem('hangar.test.colour', 'green');
    localStorage.setItem('hangar.test.sizes.jobs', '{"left": 4');
    localStorage.setItem('hangar.test.sizes.pods', '{"left": "wide"}');
    rereadSettings();
    expect([colour.get(), sizes.get('jobs'), sizes.get('pods')]).toEqual(['red', null, null]);
  });

  it('is stored for each id apart, and removed by null', () => {
    sizes.set('jobs', { left: 40 });
    sizes.set('pods', { left: 50 });
    sizes.set('pods', null);
    expect(localStorage.getItem('hangar.test.sizes.jobs')).toBe('{"left":40}');
    expect(localStorage.getItem('hangar.test.sizes.pods')).toBeNull();
  });

  it('holds until the page closes where the browser keeps nothing, which it says', () => {
    const storage = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('full');
    });
    expect(colour.set('blue')).toBe(false);
    expect(colour.get()).toBe('blue');
    expect(storage).toHaveBeenCalledOnce();
  });

  it('is drawn anew when it changes, and only then', () => {
    const drawn: string[] = [];
    function Colour() {
      drawn.push(colour.use());
      sizes.use('jobs');
      return null;
    }
    render(<Colour />);
    act(() => void colour.set('blue'));
    act(() => void colour.set('blue'));
    expect(drawn).toEqual(['red', 'blue']);
  });
});

describe('settings that earlier versions stored', async () => {
  const { lastEndpoint, shownEntry, targetAccount } = await import('./selection.ts');
  const { draftText, runMode } = await import('./drafts.ts');
  const { paneSizes } = await import('./panes.ts');
  const { contrastSetting, themeSetting } = await import('./appearance.ts');
  const { pinnedGpus } = await import('../features/gpus/pins.ts');
  const { layoutSetting } = await import('../ui/terminal/terminalStore.ts');
  const { columns } = await import('../features/run/compare/comparison.ts');
  const plain = { accountId: 'work', endpointId: 'e1', endpointName: 'words', entryId: null, problem: null };
  const column = { ...plain, id: 'work/e1', own: '{"input": {}}' };
  const pane = (id: string) => ({ id, kind: 'pod', targetId: 'x', session: `s${id}` });
  const flat = {
    tabs: [
      { id: 't', direction: 'row', panes: [pane('p')] },
      { id: 'u', direction: 'column', panes: [pane('q'), pane('r')] },
    ],
    active: 't',
  };
  const tree = {
    tabs: [
      { id: 't', root: { ...pane('p'), ended: null } },
      {
        id: 'u',
        root: {
          id: 'u-split',
          direction: 'column',
          parts: [
            { ...pane('q'), ended: null },
            { ...pane('r'), ended: null },
          ],
          shares: [0.5, 0.5],
        },
      },
    ],
    active: 't',
  };
  const named = { tabs: [{ id: 't', root: { ...pane('p'), name: 'trainer', ended: null } }], active: 't' };

  it.each([
    ['theme', 'dark', () => themeSetting.get(), 'dark'],
    ['contrast', 'more', () => contrastSetting.get(), true],
    ['contrast', 'normal', () => contrastSetting.get(), false],
    ['account', 'work', () => targetAccount.get(), 'work'],
    ['endpoint.work', 'e1', () => lastEndpoint.get('work'), 'e1'],
    ['shown.work/e1', 'job', () => shownEntry.get('work/e1'), 'job'],
    ['draft.work/e1', '"text"', () => draftText.get('work/e1'), '"text"'],
    ['mode.work/e1', 'runsync', () => runMode.get('work/e1'), 'runsync'],
    ['panes.jobs', '{"left":40,"right":60}', () => paneSizes.get('jobs'), { left: 40, right: 60 }],
    ['gpus.pinned', '["L4"]', () => pinnedGpus.get(), ['L4']],
    ['compare', JSON.stringify([plain]), () => columns.get(), [column]],
    ['compare', JSON.stringify([column]), () => columns.get(), [column]],
    ['terminals', JSON.stringify(flat), () => layoutSetting.get(''), tree],
    ['terminals', JSON.stringify(named), () => layoutSetting.get(''), named],
    ['terminals.work', JSON.stringify(tree), () => layoutSetting.get('work'), tree],
  ])('%s: %s still holds', (key, text, read, value) => {
    localStorage.setItem(`hangar.${key}`, text);
    rereadSettings();
    expect(read()).toEqual(value);
  });
});
