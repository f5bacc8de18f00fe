/** The Resources page: templates, volumes with their files, and credentials of registries. */
import { Skeleton, Tabs } from '@mantine/core';
import { navigate } from '../../state/route.ts';
import { resourceTabs, type ResourceTab } from '../../state/routePath.ts';
import { useTarget } from '../../client/accounts.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { Unread } from '../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../ui/domain/StaleNotice.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatCount } from '../../ui/text/format.ts';
import styles from '../../ui/theme/resources.module.css';
import page from '../../ui/theme/page.module.css';
import { RegistriesTab } from './RegistriesTab.tsx';
import { TemplatesTab } from './TemplatesTab.tsx';
import { useResources } from './useResources.ts';
import { VolumesTab } from './VolumesTab.tsx';

const titles: Record<ResourceTab, string> = { templates: 'Templates', volumes: 'Volumes', registries: 'Registries' };

interface ResourcesPageProps {
  tab: ResourceTab;
  volumeId: string | null;
  path: string;
}

export default function ResourcesPage({ tab, volumeId, path }: ResourcesPageProps) {
  const { accountId, name: target } = useTarget();
  const { now, at, problem, retry } = useResources(accountId);
  const counts = now && {
    templates: now.templates.length,
    volumes: now.volumes.length,
    registries: now.registryAuths.length,
  };

  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
      </header>
      <div className={page.frame}>
        <Card grow aria-label="Resources" role="region">
          {now && problem !== null && (
            <StaleNotice at={at} problem={problem} retry={retry}>
              This is what came last.
            </StaleNotice>
          )}
          <Tabs
            value={tab}
            onChange={(value) => {
              const next = resourceTabs.find((name) => name === value);
              if (next) navigate({ page: 'resources', tab: next, volumeId: null, path: '' });
            }}
            keepMounted={false}
          >
            <Tabs.List aria-label="Kinds of resources">
              {resourceTabs.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {titles[name]}
                  {counts && <span className={styles.count}>{formatCount(counts[name])}</span>}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {resourceTabs.map((name) => (
              <Tabs.Panel key={name} value={name}>
                {!now && problem === null && <Loading />}
                {!now && problem !== null && (
                  <Unread capability="management" title="They could not be read" {...{ problem, retry }} />
                )}
                {now && name === 'templates' && <TemplatesTab {...{ accountId, target, now }} />}
                {now && name === 'volumes' && <VolumesTab {...{ accountId, target, now, volumeId, path }} />}
                {now && name === 'registries' && <RegistriesTab {...{ accountId, target, now }} />}
              </Tabs.Panel>
            ))}
          </Tabs>
        </Card>
      </div>
    </div>
  );
}

const SKELETON_ROWS = 5;

function Loading() {
  return (
    <div className={styles.loading} role="group" aria-label="Loading" aria-busy="true">
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <Skeleton key={row} h={12} w={`${80 - row * 9}%`} radius={4} />
      ))}
    </div>
  );
}
