/** The button of the theme in use, whose menu has the others. */
import { useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { SunMoon } from 'lucide-react';
import { useAppearance } from '../../../state/appearance.ts';
import { MenuButton } from '../../../ui/popover/MenuButton.tsx';
import { Tip } from '../../../ui/popover/Tip.tsx';
import { deferredPart } from '../../../ui/page/deferredPart.ts';
import { themes } from './themes.ts';
import { t } from '../../../language/text.ts';

const AppearanceMenu = deferredPart(() => import('./AppearanceMenu.tsx'), { isNeeded: true });

export function AppearanceButton() {
  const theme = useAppearance((state) => state.theme);
  const [opened, setOpened] = useState(false);
  const Current = themes.find(({ choice }) => choice === theme)?.icon ?? SunMoon;
  return (
    <MenuButton opened={opened} onChange={setOpened} menu={AppearanceMenu}>
      <Tip label={t`Appearance`}>
        <ActionIcon size={28} aria-label={t`Appearance`}>
          <Current size={15} aria-hidden />
        </ActionIcon>
      </Tip>
    </MenuButton>
  );
}
