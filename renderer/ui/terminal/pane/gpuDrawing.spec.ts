import { expect, it, vi } from 'vitest';
import { createGpuDrawing, MOST_CONTEXTS } from './gpuDrawing.ts';

/** Addons that only note what happens to them. */
function fakeAddons() {
  const made: { lose: () => void; dispose: ReturnType<typeof vi.fn> }[] = [];
  const load = async () => {
    let lose = (): void => undefined;
    const addon = {
      activate: vi.fn(),
      dispose: vi.fn(),
      clearTextureAtlas: vi.fn(),
      onContextLoss(listener: () => void) {
        lose = listener;
        return { dispose: () => undefined };
      },
    };
    made.push({ lose: () => lose(), dispose: addon.dispose });
    return addon;
  };
  return { made, load };
}

function terminal(options: Parameters<typeof createGpuDrawing>[1]) {
  const loadAddon = vi.fn();
  return { loadAddon, drawing: createGpuDrawing({ loadAddon }, options) };
}
const hasGpu = () => true;

it('a terminal is drawn by the GPU while it is shown', async () => {
  const { made, load } = fakeAddons();
  const { loadAddon, drawing } = terminal({ load, hasGpu });
  drawing.show(true);
  await expect.poll(() => loadAddon).toHaveBeenCalledOnce();
  drawing.show(false);
  expect(made[0]?.dispose).toHaveBeenCalledOnce();
  drawing.show(true);
  await expect.poll(() => loadAddon).toHaveBeenCalledTimes(2);
  drawing.dispose();
  expect(made[1]?.dispose).toHaveBeenCalledOnce();
});

it('a terminal whose context is lost is drawn by elements from then on', async () => {
  const { made, load } = fakeAddons();
  const { loadAddon, drawing } = terminal({ load, hasGpu });
  drawing.show(true);
  await expect.poll(() => loadAddon).toHaveBeenCalledOnce();
  made[0]?.lose();
  expect(made[0]?.dispose).toHaveBeenCalledOnce();
  drawing.show(false);
  drawing.show(true);
  expect(made).toHaveLength(1);
});

it('without a GPU nothing of WebGL is loaded', () => {
  const load = vi.fn();
  terminal({ load, hasGpu: () => false }).drawing.show(true);
  expect(load).not.toHaveBeenCalled();
});

it(`at most ${MOST_CONTEXTS} terminals have a context, and one that is hidden makes room`, async () => {
  const { made, load } = fakeAddons();
  const all = Array.from({ length: MOST_CONTEXTS + 1 }, () => terminal({ load, hasGpu }));
  for (const { drawing } of all) drawing.show(true);
  await expect.poll(() => made).toHaveLength(MOST_CONTEXTS + 1);
  const drawn = () => all.filter(({ loadAddon }) => loadAddon.mock.calls.length > 0).length;
  await expect.poll(() => drawn()).toBe(MOST_CONTEXTS);
  all[0]?.drawing.show(false);
  all.at(-1)?.drawing.show(false);
  all.at(-1)?.drawing.show(true);
  await expect.poll(() => drawn()).toBe(MOST_CONTEXTS + 1);
  for (const { drawing } of all) drawing.dispose();
});
