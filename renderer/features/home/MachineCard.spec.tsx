import { expect, it } from 'vitest';
import { machineGpuSchema } from '#contract/local/machine.ts';
import { machineOf } from '../../../test/support/page/machine.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { MachineCard } from './MachineCard.tsx';

const GB = 1024 ** 3;
const gpu = (index: number, utilPercent: number, memoryUsedBytes: number) =>
  machineGpuSchema.parse({
    uuid: `GPU-${index}`,
    index,
    typeId: 'NVIDIA L4',
    vendor: 'nvidia',
    memoryBytes: 22.5 * GB,
    driverVersion: null,
    enabled: true,
    shared: false,
    heldBy: [],
    load: {
      at: '2026-03-01T12:00:00.000Z',
      utilPercent,
      memoryUsedBytes,
      temperatureC: null,
      powerW: null,
      processes: [],
    },
  });

/** The rows of the card, as name, load and amount. */
async function rowsOf(gpus: ReturnType<typeof gpu>[]): Promise<string[]> {
  const { screen } = renderPage(<MachineCard />, {
    machine: { get: () => machineOf({ gpus }), workers: () => [] },
  });
  const texts: string[] = [];
  for (const term of await screen.findAllByRole('term')) {
    const value = term.nextElementSibling?.nextElementSibling;
    texts.push([term, value, value?.nextElementSibling].map((part) => part?.textContent).join(' | '));
  }
  return texts;
}

it('every row has its load and an amount in one unit, and several GPUs have their numbers', async () => {
  expect(await rowsOf([gpu(0, 85, 11.7 * GB), gpu(1, 0, 3 * 1024 ** 2)])).toEqual([
    'L4 #0 | 85 % | 11.7 of 22.5 GB',
    'L4 #1 | 0 % | 0.0 of 22.5 GB',
    'CPU | 5 % | 8 cores',
    'Memory | 13 % | 4.0 of 32.0 GB',
  ]);
});

it('the only GPU needs no number', async () => {
  expect((await rowsOf([gpu(0, 85, GB)]))[0]).toBe('L4 | 85 % | 1.0 of 22.5 GB');
});
