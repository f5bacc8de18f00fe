/** The actions of one row, which the palette has, too. */
import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { useCommands } from '../../state/commands.ts';
import { t } from '../../language/text.ts';

export interface RowMenuItem {
  label: string;
  icon: LucideIcon;
  onClick: () => void;
}

interface RowMenuProps {
  name: string;
  items: readonly RowMenuItem[];
  /** False for a list that may have thousands of rows. */
  inPalette?: boolean;
}

export function RowMenu({ name, items, inPalette = true }: RowMenuProps) {
  useCommands(inPalette ? items.map(({ label, onClick }) => ({ label: `${name}: ${label}`, run: onClick })) : []);
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
  return items.map(({ label, icon: Icon, onClick }) => (
    <Menu.Item key={label} leftSection={<Icon size={14} aria-hidden />} onClick={onClick}>
      {label}
    </Menu.Item>
  ));
}
