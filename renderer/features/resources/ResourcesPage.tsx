/** The Resources page: templates, volumes with their files, and credentials of registries. */
import { Button, Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../client/orpc.ts';
import { navigate } from '../../state/route.ts';
import { resourceTabs, type ResourceTab } from '../../state/routePath.ts';
import { useSelection } from '../../state/selection.ts';
import { accountInSentence } from '../../ui/accountName.ts';
import { Card } from '../../ui/Card.tsx';
import { formatCount } from '../../ui/format.ts';
import { Empty, Notice } from '../../ui/Notice.tsx';
import styles from '../../ui/resources.module.css';
import page from '../../ui/page.module.css';
import { RegistriesTab } from './RegistriesTab.tsx';
import { TemplatesTab } from './TemplatesTab.tsx';
import { useResources } from './useResources.ts';
import { VolumesTab } from './VolumesTab.tsx';

const titles: Record<ResourceTab, string> = { templates: 'Templates', volumes: 'Volumes', registries: 'Registries' };
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

interface ResourcesPageProps {
  tab: ResourceTab;
  volumeId: string | null;
  path: string;
}

export default function ResourcesPage({ tab, volumeId, path }: ResourcesPageProps) {
  const accountId = useSelection((selection) => selection.accountId);
  const accounts = useQuery(orpc.accounts.list.queryOptions());
  const target = accountInSentence(accountId, accounts.data?.find(({ id }) => id === accountId)?.name ?? '');
  const { now, at, problem, retry } = useResources(accountId);
  const counts = now && {
    templates: now.templates.length,
    volumes: now.volumes.length,
    registries: now.registryAuths.length,
  };

  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <h1>Resources</h1>
      </header>
      <div className={page.frame}>
        <Card grow aria-label="Resources" role="region">
          {now && problem !== null && (
            <Notice
              tone="wait"
              title={`As of ${clock.format(at)}.`}
              action={
                <Button size="xs" variant="default" onClick={retry}>
                  Retry now
                </Button>
              }
            >
              {problem} This is what came last.
            </Notice>
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
                  <Empty title="They could not be read" action={<Button onClick={retry}>Try again</Button>}>
                    {problem}
                  </Empty>
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
