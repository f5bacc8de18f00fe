import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import {
  defaultSettings,
  settingsChangeSchema,
  settingsSchema,
  type SettingsChange,
} from '#contract/local/settings.ts';
import { silentLogger } from '../../../test/support/core/fakes.ts';
import { createSettings } from './settings.ts';

function settingsOn(stored: unknown) {
  const saved: SettingsChange[] = [];
  const settings = createSettings({ load: () => stored, save: (changes) => void saved.push(changes) }, silentLogger);
  return { settings, saved };
}

describe('the settings of an engine', () => {
  test('are the numbers of limits.ts until something is changed', () => {
    const { settings } = settingsOn(null);
    expect(settings.current).toEqual(settingsSchema.parse(defaultSettings));
    expect(settings.current.rates.operations).toEqual(limits.rates.operations);
  });

  test('a change at any depth leaves its neighbours as they were', () => {
    const { settings } = settingsOn(null);
    settings.change({ rates: { operations: { run: { requests: 7 } } } });
    settings.change({ rates: { requestsPerWorker: 9 } });
    expect(settings.current.rates).toEqual({
      ...defaultSettings.rates,
      requestsPerWorker: 9,
      operations: {
        ...limits.rates.operations,
        run: { requests: 7, concurrent: limits.rates.operations.run.concurrent },
      },
    });
  });

  test('a null replaces a number, and undefined changes nothing', () => {
    const { settings } = settingsOn({ rates: { operations: { run: { concurrent: 3 } } } });
    settings.change({ rates: { enabled: undefined, operations: { run: { concurrent: null } } } });
    expect(settings.current.rates.enabled).toBe(true);
    expect(settings.current.rates.operations.run).toEqual({ requests: 1000, concurrent: null });
  });

  test('only what was changed is stored, all of it, so that new defaults of a later version take effect', () => {
    const { settings, saved } = settingsOn({ rates: { requestsPerWorker: 9 } });
    settings.change({ rates: { operations: { status: { requests: 5 } } } });
    expect(saved).toEqual([{ rates: { requestsPerWorker: 9, operations: { status: { requests: 5 } } } }]);
  });

  test('what cannot be stored does not take effect', () => {
    const settings = createSettings(
      {
        load: () => null,
        save() {
          throw new Error('disk full');
        },
      },
      silentLogger,
    );
    expect(() => settings.change({ rates: { enabled: false } })).toThrow('disk full');
    expect(settings.current).toEqual(defaultSettings);
  });

  test.each([[{ rates: { requestsPerWorker: 'many' } }], [{ rates: 7 }], ['text'], [[1]], [{ later: { field: 1 } }]])(
    'stored settings that cannot be understood leave the defaults in force: %j',
    (stored) => {
      expect(settingsOn(stored).settings.current).toEqual(defaultSettings);
    },
  );

  test('a stored field that cannot be understood leaves the others in force', () => {
    const rules = { battery: true, programs: ['game.exe', 7], quietHours: { from: '22:00' } };
    const { settings, saved } = settingsOn({
      rates: { requestsPerWorker: 9, enabled: 'no' },
      later: 1,
      machine: { rules },
    });
    const { programs } = defaultSettings.machine.rules;
    expect(settings.current.rates).toEqual({ ...defaultSettings.rates, requestsPerWorker: 9 });
    expect(settings.current.machine.rules).toMatchObject({ battery: true, programs, quietHours: null });
    settings.change({ machine: { rules: { battery: false } } });
    expect(saved).toEqual([{ rates: { requestsPerWorker: 9 }, machine: { rules: { battery: false } } }]);
  });

  test('a change never touches the defaults', () => {
    settingsOn(null).settings.change({ rates: { operations: { run: { requests: 7 } } } });
    expect(defaultSettings.rates.operations.run.requests).toBe(1000);
    expect(settingsChangeSchema.safeParse(defaultSettings).success).toBe(true);
  });

  test('a list is replaced as a whole, and can be emptied', () => {
    const { settings, saved } = settingsOn({ machine: { rules: { programs: ['game.exe', 'editor'] } } });
    settings.change({ machine: { rules: { programs: ['blender'], battery: true } } });
    expect(settings.current.machine.rules).toMatchObject({ programs: ['blender'], battery: true });
    settings.change({ machine: { rules: { programs: [] } } });
    expect(settings.current.machine.rules.programs).toEqual([]);
    expect(saved.at(-1)).toEqual({ machine: { rules: { programs: [], battery: true } } });
  });

  test('a rule is switched on with a value and off with null', () => {
    const { settings } = settingsOn(null);
    settings.change({ machine: { rules: { quietHours: { from: '22:00', to: '07:00' }, othersGpuPercent: 30 } } });
    settings.change({ machine: { rules: { othersGpuPercent: null } } });
    expect(settings.current.machine.rules).toEqual({
      ...defaultSettings.machine.rules,
      quietHours: { from: '22:00', to: '07:00' },
    });
    settings.change({ machine: { rules: { quietHours: null } } });
    expect(settings.current.machine).toEqual(defaultSettings.machine);
  });

  test('quiet hours that begin when they end are refused', () => {
    const { settings, saved } = settingsOn(null);
    expect(() => settings.change({ machine: { rules: { quietHours: { from: '07:00', to: '07:00' } } } })).toThrow(
      'machine.rules.quietHours.from and machine.rules.quietHours.to must differ; got 07:00 for both.',
    );
    expect(saved).toEqual([]);
  });

  test('each GPU keeps its own choices, and the usual one for what nobody chose', () => {
    const { settings } = settingsOn(null);
    settings.change({ machine: { gpus: { 'GPU-1': { enabled: false } } } });
    settings.change({ machine: { gpus: { 'GPU-2': { shared: true } } } });
    expect(settings.current.machine.gpus).toEqual({
      'GPU-1': { enabled: false, shared: false },
      'GPU-2': { enabled: true, shared: true },
    });
  });

  test('each price is set by itself, that of a GPU type for the type, and null takes the price of one back', () => {
    const { settings, saved } = settingsOn(null);
    settings.change({ machine: { prices: { perKwh: 0.3, gpuHour: { 'NVIDIA A40': 0.5 } } } });
    settings.change({ machine: { prices: { gpuHour: { 'NVIDIA L4': 0 }, cpuHour: 0.02 } } });
    settings.change({ machine: { prices: { gpuHour: { 'NVIDIA A40': null } } } });
    const prices = { perKwh: 0.3, gpuHour: { 'NVIDIA A40': null, 'NVIDIA L4': 0 }, cpuHour: 0.02 };
    expect(settings.current.machine.prices).toEqual({ ...prices, volumeGbMonth: 0 });
    expect(saved.at(-1)).toEqual({ machine: { prices } });
    settings.change({ machine: { prices: { cpuHour: null } } });
    expect(settings.current.machine.prices.cpuHour).toBeNull();
  });

  test('whoever listens is told after each change, until they stop listening', () => {
    const { settings } = settingsOn(null);
    const seen: boolean[] = [];
    const stop = settings.onChange(({ machine }) => seen.push(machine.rules.battery));
    settings.change({ machine: { rules: { battery: true } } });
    stop();
    settings.change({ machine: { rules: { battery: false } } });
    expect(seen).toEqual([true]);
  });
});
