/** The pages, with what is going on in them; icons alone where the window is narrow. */
import { Fragment } from 'react';
import { Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useRoute } from '../../state/route.ts';
import { formatRoute } from '../../state/routePath.ts';
import { formatCount } from '../../ui/text/format.ts';
import { keyLabel } from '../../ui/primitives/shortcuts.ts';
import { pages } from './pages.ts';
import styles from './shell.module.css';
import { useOpenJobs } from './useOpenJobs.ts';

export function Sidebar() {
  const current = useRoute((route) => route.page);
  const open = useOpenJobs();
  const icons = useMediaQuery('(max-width: 1099px)', undefined, { getInitialValueInEffect: false });
  return (
    <nav className={styles.sidebar} aria-label="Pages">
      {pages.map(({ group, name, title, icon: Icon, route, keys }, index) => {
        const note = name === 'jobs' && open > 0 ? `${formatCount(open)} running` : null;
        return (
          <Fragment key={name}>
            {group !== pages[index - 1]?.group && <b aria-hidden>{group}</b>}
            <Tooltip label={`${title} (${keyLabel(keys)})`} position="right" disabled={!icons}>
              <a href={formatRoute(route)} aria-current={current === name ? 'page' : undefined}>
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
