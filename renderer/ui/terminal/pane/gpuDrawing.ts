/**
 * Draws a terminal by the GPU (WebGL) while it is shown. Without a GPU, and after the browser has taken its context away,
 * xterm draws it with elements of the page.
 */
import type { Terminal } from '@xterm/xterm';
import type { WebglAddon } from '@xterm/addon-webgl';

/** A page may have 16 contexts; beyond that the browser takes the oldest one away. Half is left to other parts. */
export const MOST_CONTEXTS = 8;

let contexts = 0;

export interface GpuDrawing {
  /** A terminal that is not shown gives its context back. */
  show(isShown: boolean): void;
  /** Signs that were drawn before their part of the font had come are drawn again. */
  onFont(): void;
  dispose(): void;
}

export interface GpuDrawingOptions {
  load?: () => Promise<Pick<WebglAddon, 'activate' | 'dispose' | 'onContextLoss' | 'clearTextureAtlas'>>;
  hasGpu?: () => boolean;
}

const loadAddon = async () => new (await import('@xterm/addon-webgl')).WebglAddon();

/** The names of drivers that draw without a GPU. Not every browser counts them as slow. */
const IN_SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether WebGL draws by a GPU. In software it is slower than elements are. */
function hasGpuHere(): boolean {
  const context = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  if (context === null) return false;
  const { UNMASKED_RENDERER_WEBGL: name = context.RENDERER } = context.getExtension('WEBGL_debug_renderer_info') ?? {};
  const renderer = String(context.getParameter(name));
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return !IN_SOFTWARE.test(renderer);
}

let gpuKnown: boolean | null = null;
const hasGpuOnce = (): boolean => (gpuKnown ??= hasGpuHere());

export function createGpuDrawing(
  terminal: Pick<Terminal, 'loadAddon'>,
  { load = loadAddon, hasGpu = hasGpuOnce }: GpuDrawingOptions = {},
): GpuDrawing {
  let drawing: Awaited<ReturnType<typeof load>> | null = null;
  let isWanted = false;
  /** After a failure elements draw it for good: a context that was lost once is likely to be lost again. */
  let hasFailed = false;

  function stop(): void {
    if (drawing === null) return;
    const stopped = drawing;
    drawing = null;
    contexts--;
    stopped.dispose();
  }

  function fail(): void {
    hasFailed = true;
    stop();
  }

  async function start(): Promise<void> {
    const addon = await load();
    if (!isWanted || hasFailed || drawing !== null || contexts >= MOST_CONTEXTS) return;
    drawing = addon;
    contexts++;
    addon.onContextLoss(fail);
    terminal.loadAddon(addon);
  }

  return {
    show(isShown) {
      if (isShown === isWanted) return;
      isWanted = isShown;
      if (!isShown) stop();
      else if (!hasFailed && hasGpu()) start().catch(fail);
    },
    onFont: () => drawing?.clearTextureAtlas(),
    dispose() {
      isWanted = false;
      stop();
    },
  };
}
