/** The pages, with what is going on in them; icons alone where the window is narrow. */
import { Fragment } from 'react';
import { Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useRoute } from '../../state/route.ts';
import { formatRoute, startOf } from '../../state/routePath.ts';
import type { ShellPage } from '../../ui/page/definePage.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { keyLabel } from '../../ui/primitives/shortcuts.ts';
import styles from './shell.module.css';
import { useOpenJobs } from './useOpenJobs.ts';

export function Sidebar({ pages }: { pages: readonly ShellPage[] }) {
  const current = useRoute((route) => route.page);
  const open = useOpenJobs();
  const icons = useMediaQuery('(max-width: 1099px)', undefined, { getInitialValueInEffect: false });
  return (
    <nav className={styles.sidebar} aria-label="Pages">
      {pages.map(({ group, route, title, icon: Icon, key }, index) => {
        const note = route === 'jobs' && open > 0 ? `${formatCount(open)} running` : null;
        return (
          <Fragment key={route}>
            {group !== pages[index - 1]?.group && <b aria-hidden>{group}</b>}
            <Tooltip label={key === null ? title : `${title} (${keyLabel(key)})`} position="right" disabled={!icons}>
              <a href={formatRoute(startOf(route))} aria-current={current === route ? 'page' : undefined}>
                <Icon size={15} strokeWidth={1.8} aria-hidden />
                <span>{title}</span>
                {note !== null && <em>{note}</em>}
              </a>
            </Tooltip>
          </Fragment>
        );
      })}
    </nav>
  );
}
