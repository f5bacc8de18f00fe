/** The menu of a tab, by a right click: what its drag and its keys do. */
import { Menu } from '@mantine/core';
import { ArrowLeft, ArrowRight, Columns2, Rows2, SquareArrowOutUpRight, X } from 'lucide-react';
import { isSplit, panesOf, type Pane, type Side, type Tab } from '../../ui/terminal/layout.ts';
import { ContextMenu } from '../../ui/popover/ContextMenu.tsx';
import { t } from '../../language/text.ts';

interface TabMenuProps {
  tab: Tab;
  tabs: readonly Tab[];
  /** What the tab shows. */
  title: string;
  /** The pane that keys act on. */
  focused: Pane | null;
  at: { x: number; y: number };
  onMove: (tabId: string, to: number) => void;
  onJoin: (tabId: string, pane: Pane, side: Side) => void;
  onSeparate: (pane: Pane) => void;
  onClose: (tab: Tab) => void;
  onLeave: () => void;
}

export function TabMenu(props: TabMenuProps) {
  const { tab, tabs, title, focused, onMove, onJoin, onSeparate } = props;
  const index = tabs.indexOf(tab);
  const panes = panesOf(tab.root);
  const isFocused = panes.some(({ id }) => id === focused?.id);
  const join = (side: Side) => focused && onJoin(tab.id, focused, side);
  return (
    <ContextMenu label={t`Actions for ${title}`} at={props.at} onClose={props.onLeave}>
      {focused !== null && !isFocused && (
        <>
          <Menu.Item leftSection={<Columns2 size={14} aria-hidden />} onClick={() => join('right')}>
            {t`Put it beside the shown terminal`}
          </Menu.Item>
          <Menu.Item leftSection={<Rows2 size={14} aria-hidden />} onClick={() => join('bottom')}>
            {t`Put it below the shown terminal`}
          </Menu.Item>
        </>
      )}
      {focused !== null && isFocused && isSplit(tab.root) && (
        <Menu.Item
          leftSection={<SquareArrowOutUpRight size={14} aria-hidden />}
          onClick={() => onSeparate(focused)}
        >{t`Move the pane to a tab of its own`}</Menu.Item>
      )}
      {index > 0 && (
        <Menu.Item
          leftSection={<ArrowLeft size={14} aria-hidden />}
          onClick={() => onMove(tab.id, index - 1)}
        >{t`Move the tab to the left`}</Menu.Item>
      )}
      {index < tabs.length - 1 && (
        <Menu.Item
          leftSection={<ArrowRight size={14} aria-hidden />}
          onClick={() => onMove(tab.id, index + 1)}
        >{t`Move the tab to the right`}</Menu.Item>
      )}
      <Menu.Item
        leftSection={<X size={14} aria-hidden />}
        onClick={() => props.onClose(tab)}
      >{t`Close the tab`}</Menu.Item>
    </ContextMenu>
  );
}
