/** An item of a menu that stays reachable with the keyboard while it cannot be used, unlike a disabled one. */
import { Menu, type ElementProps, type MenuItemProps } from '@mantine/core';

interface ReasonItemProps extends MenuItemProps, ElementProps<'button', keyof MenuItemProps> {
  /** Null while it can be used. The menu shows it, too: a screen reader says it with the name of the item. */
  whyNot: string | null;
}

/** Without `data-disabled`, because Mantine's arrow keys pass over items that have it. */
export function ReasonItem({ whyNot, onClick, ...others }: ReasonItemProps) {
  const state =
    whyNot === null
      ? { onClick }
      : { 'aria-disabled': true, 'aria-description': whyNot, closeMenuOnClick: false, onClick: () => undefined };
  return <Menu.Item {...others} {...state} />;
}
