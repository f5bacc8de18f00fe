/** The tab with a terminal. The emulator of a terminal is large, so it is loaded when it is needed, or soon will be. */
import { lazyPart, loadModule } from '../../../ui/primitives/lazyPart.ts';

const load = () => import('./TerminalTab.tsx');

export const TerminalTab = lazyPart(load);

/** Loads it in advance. A failure is shown by the tab, which tries again. */
export const preloadTerminal = (): void => void loadModule(load).catch(() => undefined);
