/** The tabs of a page or an inspector in one row, which scrolls within itself if they have no room. */
import type { ReactNode } from 'react';
import { Tabs } from '@mantine/core';
import { Strip } from '../scroll/Strip.tsx';
import { BoldWidth } from './BoldWidth.tsx';
import styles from './tabBar.module.css';

interface TabBarProps {
  /** Names the list of tabs for a screen reader. */
  label: string;
  /** `more` stands behind the title, such as a count. */
  tabs: readonly { value: string; title: string; more?: ReactNode }[];
  /** The selected tab. */
  value: string;
  /** Stands at the right end of the row. */
  children?: ReactNode;
}

export const TabBar = ({ label, tabs, value, children }: TabBarProps) => (
  <div className={styles.bar}>
    <Strip className={styles.row} current={value} shows="[aria-selected=true]">
      <Tabs.List aria-label={label} className={styles.list ?? ''}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.value} value={tab.value}>
            <BoldWidth>{tab.title}</BoldWidth>
            {tab.more}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Strip>
    {children}
  </div>
);
