import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { desktopSettingsSchema } from '#contract/bridge/host.ts';
import { openSettingsFile } from './settingsFile.ts';

test('the settings of a person are those of the next start, and each kind of notification is changed by itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desktop-settings-'));
  const start = () => openSettingsFile(join(folder, 'config/desktop.json'), pino({ enabled: false }));
  const preset = desktopSettingsSchema.parse({});
  try {
    const settings = start();
    expect(settings.now()).toEqual(preset);
    await Promise.all([
      settings.change({ notify: { 'job-failed': false } }),
      settings.change({ keepAwake: false, notify: { 'pod-idle': false } }),
    ]);
    expect(start().now()).toEqual({
      ...preset,
      keepAwake: false,
      notify: { ...preset.notify, 'job-failed': false, 'pod-idle': false },
    });
    expect(start().now().decidedClose).toBe(false);
    await settings.change({ closeToTray: false });
    expect(start().now()).toMatchObject({ closeToTray: false, decidedClose: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
