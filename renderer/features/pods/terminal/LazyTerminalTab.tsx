/** The tab with a terminal. The emulator of a terminal is large, so it is loaded when it is needed, or soon will be. */
import { lazyPart, loadModule } from '../../../ui/primitives/lazyPart.ts';
import inspector from '../../../ui/theme/inspector.module.css';
import { withFont } from '../../../ui/terminal/withFont.ts';
import { t } from '../../../language/text.ts';

const load = () => withFont(() => import('./TerminalTab.tsx'));

/** Loads it in advance, with its font. A failure is shown by the tab, which tries again. */
export const preloadTerminal = (): void => void loadModule(load).catch(() => undefined);

export const LazyTerminalTab = lazyPart(load, () => (
  <div className={inspector.panelSkeleton} aria-busy="true" role="group" aria-label={t`Loading`} />
));
