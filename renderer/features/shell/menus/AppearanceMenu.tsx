/** The themes to choose from, and high contrast. */
import { Menu } from '@mantine/core';
import { Contrast } from 'lucide-react';
import { chooseContrast, chooseTheme, isHighContrast, themeChoices, useAppearance } from '../../../state/appearance.ts';
import { AnchoredMenu, type AnchoredProps } from '../../../ui/popover/AnchoredMenu.tsx';
import { themes } from './themes.ts';
import { t } from '../../../language/text.ts';

export default function AppearanceMenu(anchored: AnchoredProps) {
  const theme = useAppearance((state) => state.theme);
  const highContrast = useAppearance(isHighContrast);
  const choose = (choice: string) => chooseTheme(themeChoices.find((known) => known === choice) ?? 'system');
  return (
    <AnchoredMenu {...anchored} position="bottom-end" width={190}>
      <Menu.RadioGroup value={theme} onChange={choose}>
        {themes.map(({ choice, label, icon: Icon }) => (
          <Menu.RadioItem key={choice} value={choice} rightSection={<Icon size={14} aria-hidden />}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.CheckboxItem
        checked={highContrast}
        onChange={chooseContrast}
        rightSection={<Contrast size={14} aria-hidden />}
      >{t`High contrast`}</Menu.CheckboxItem>
    </AnchoredMenu>
  );
}
