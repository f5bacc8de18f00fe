/** The tabs of a page or an inspector in one row. Those without room are in a menu behind the last one. */
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Menu, Tabs, UnstyledButton } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { BoldWidth } from './BoldWidth.tsx';
import { fittingTabs } from './fittingTabs.ts';
import styles from './tabBar.module.css';
import { t } from '../../language/text.ts';

interface TabBarProps<Value extends string> {
  /** Names the list of tabs for a screen reader. */
  label: string;
  /** `more` stands behind the title, such as a count. */
  tabs: readonly { value: Value; title: string; more?: ReactNode }[];
  /** The selected tab. */
  value: string;
  /** Called with the tab that a person chooses in the menu; `Tabs` around the bar calls its own for the others. */
  onChange: (value: Value) => void;
  /** Stands at the right end of the row. */
  children?: ReactNode;
}

export function TabBar<Value extends string>({ label, tabs, value, onChange, children }: TabBarProps<Value>) {
  const row = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  /** Whether a tab was chosen in the menu and has no focus yet. */
  const wantsFocus = useRef(false);
  const [shown, setShown] = useState<ReadonlySet<number> | null>(null);
  const selected = tabs.findIndex((tab) => tab.value === value);

  useLayoutEffect(() => {
    const elements = list.current === null ? [] : [...list.current.children];
    const measure = (): void => {
      if (row.current === null || list.current === null || more.current === null) return;
      const widthOf = (element: Element) => element.getBoundingClientRect().width;
      const next = fittingTabs({
        widths: elements.map(widthOf),
        gap: Number.parseFloat(getComputedStyle(list.current).columnGap) || 0,
        room: widthOf(row.current),
        moreWidth: widthOf(more.current),
        selected,
      });
      setShown((before) =>
        before?.size === next.size && [...next].every((index) => before.has(index)) ? before : next,
      );
    };
    measure();
    // A tab changes its width with a count in it, and with the font.
    const sizes = new ResizeObserver(measure);
    for (const element of [row.current, ...elements]) if (element !== null) sizes.observe(element);
    return () => sizes.disconnect();
  }, [selected, tabs.length]);

  // The item of the menu is gone with the choice. A hidden tab takes no focus before its row is laid out anew.
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
    tab?.focus();
    wantsFocus.current = document.activeElement !== tab;
  }, [selected, shown]);

  const isHidden = (index: number): boolean => shown !== null && !shown.has(index);
  const hidden = tabs.filter((_, index) => isHidden(index));
  return (
    <div className={styles.bar}>
      <div ref={row} className={styles.row}>
        <Tabs.List ref={list} aria-label={label} className={styles.list ?? ''}>
          {tabs.map((tab, index) => (
            <Tabs.Tab
              key={tab.value}
              value={tab.value}
              // The arrows move between the tabs that are shown.
              {...(isHidden(index) && { role: 'presentation', className: styles.hidden ?? '' })}
            >
              <BoldWidth>{tab.title}</BoldWidth>
              {tab.more}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Menu position="bottom-end" withinPortal returnFocus={false}>
          <Menu.Target>
            <UnstyledButton
              ref={more}
              className={styles.more}
              data-hidden={hidden.length === 0 || undefined}
              aria-label={t`More tabs`}
            >
              {t`More`} <ChevronDown size={12} aria-hidden />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {hidden.map((tab) => (
              <Menu.Item
                key={tab.value}
                onClick={() => {
                  wantsFocus.current = true;
                  onChange(tab.value);
                }}
              >
                {tab.title}
                {tab.more}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      {children}
    </div>
  );
}
