/** The themes of the page with their words and icons. */
import { Moon, Sun, SunMoon } from 'lucide-react';
import type { ThemeChoice } from '../../../state/appearance.ts';
import { t } from '../../../language/text.ts';

export const themes: { choice: ThemeChoice; label: string; icon: typeof Sun }[] = [
  { choice: 'system', label: t`Match system`, icon: SunMoon },
  { choice: 'light', label: t`Light`, icon: Sun },
  { choice: 'dark', label: t`Dark`, icon: Moon },
];
