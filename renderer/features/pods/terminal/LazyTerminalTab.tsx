/** The tab with a terminal. The emulator of a terminal is large, so it is loaded when it is needed, or soon will be. */
import type { ComponentProps } from 'react';
import { loadablePart, loadModule } from '../../../ui/primitives/lazyPart.ts';
import inspector from '../../../ui/theme/inspector.module.css';
import type TerminalTab from './TerminalTab.tsx';
import { t } from '../../../language/text.ts';

async function load() {
  const [tab, { fontLoaded }] = await Promise.all([
    import('./TerminalTab.tsx'),
    import('../../../ui/terminal/pane/font.ts'),
  ]);
  // A terminal has its size in cells from the width of the font.
  await fontLoaded();
  return tab;
}

const part = loadablePart(load);

/** Loads it in advance, with its font. A failure is shown by the tab, which tries again. */
export const preloadTerminal = (): void => void loadModule(load).catch(() => undefined);

export function LazyTerminalTab(props: ComponentProps<typeof TerminalTab>) {
  const Tab = part.use();
  if (Tab !== null) return <Tab {...props} />;
  return <div className={inspector.panelSkeleton} aria-busy="true" role="group" aria-label={t`Loading`} />;
}
