/** The actions of one row, which the palette has, too. */
import { Fragment } from 'react';
import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { useCommands } from '../../state/commands.ts';
import { ReasonItem } from '../popover/ReasonItem.tsx';
import { t } from '../../language/text.ts';
import styles from './rowMenu.module.css';

export interface RowMenuItem {
  label: string;
  icon: LucideIcon;
  /** Null or absent while it can be used. */
  whyNot?: string | null;
  onClick: () => void;
}

interface RowMenuProps {
  name: string;
  items: readonly RowMenuItem[];
  /** False for a list that may have thousands of rows. */
  inPalette?: boolean;
}

export function RowMenu({ name, items, inPalette = true }: RowMenuProps) {
  const usable = items.filter(({ whyNot = null }) => whyNot === null);
  useCommands(inPalette ? usable.map(({ label, onClick }) => ({ label: `${name}: ${label}`, run: onClick })) : []);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label={t`More for ${name}`}>
          <Ellipsis size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Items items={items} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Items({ items }: Pick<RowMenuProps, 'items'>) {
  return items.map(({ label, icon: Icon, whyNot = null, onClick }) => (
    <Fragment key={label}>
      <ReasonItem leftSection={<Icon size={14} aria-hidden />} whyNot={whyNot} onClick={onClick}>
        {label}
      </ReasonItem>
      {whyNot !== null && <Menu.Label className={styles.reason ?? ''}>{whyNot}</Menu.Label>}
    </Fragment>
  ));
}
