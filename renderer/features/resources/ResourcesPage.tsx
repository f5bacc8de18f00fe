/**
 * The Resources page: templates, volumes with their files, credentials of registries, and the files of this computer.
 */
import { Skeleton, Tabs } from '@mantine/core';
import { useCommands } from '../../state/commands.ts';
import { navigate } from '../../state/route.ts';
import { resourceTabs, type ResourceTab } from '../../state/routePath.ts';
import { useTarget } from '../../client/accounts.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../ui/domain/StaleNotice.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { TabBar } from '../../ui/tabs/TabBar.tsx';
import { formatCount } from '../../ui/text/format.ts';
import styles from '../../ui/theme/resources.module.css';
import page from '../../ui/theme/page.module.css';
import pieces from '../../ui/theme/pieces.module.css';
import { ComputerTab } from './computer/ComputerTab.tsx';
import { ImagePulls } from './images/ImagePulls.tsx';
import { ImagesTab } from './ImagesTab.tsx';
import { RegistriesTab } from './RegistriesTab.tsx';
import { TemplatesTab } from './TemplatesTab.tsx';
import { useResources } from './useResources.ts';
import { VolumesTab } from './VolumesTab.tsx';
import { t } from '../../language/text.ts';

const titles: Record<ResourceTab, string> = {
  templates: t`Templates`,
  volumes: t`Volumes`,
  images: t`Container images`,
  registries: t`Registries`,
  computer: t`Files`,
};

interface ResourcesPageProps {
  tab: ResourceTab;
  volumeId: string | null;
  endpointId?: string;
  path: string;
}

export default function ResourcesPage({ tab, volumeId, endpointId, path }: ResourcesPageProps) {
  const { accountId, account, name: target } = useTarget();
  /** Only an engine of Hangar tells of its images. */
  const tabs = resourceTabs.filter((name) => name !== 'images' || account?.kind === 'engine');
  const { now, at, problem, retry } = useResources(accountId);
  const counts = now && {
    templates: now.templates.length,
    volumes: now.volumes.length,
    images: null,
    registries: now.registryAuths.length,
    computer: null,
  };

  const open = (next: ResourceTab) => navigate({ page: 'resources', tab: next, volumeId: null, path: '' });
  useCommands(
    tabs
      .filter((name) => name !== tab)
      .map((name) => ({ label: t`Resources: ${titles[name]}`, run: () => open(name) })),
  );
  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
      </header>
      <div className={page.frame}>
        <Card grow aria-label={t`Resources`} role="region">
          {tab !== 'computer' && now && problem !== null && (
            <StaleNotice at={at} problem={problem} retry={retry}>{t`This is the last known data.`}</StaleNotice>
          )}
          <Tabs
            value={tab}
            onChange={(value) => {
              const next = resourceTabs.find((name) => name === value);
              if (next) open(next);
            }}
            keepMounted={false}
          >
            <TabBar
              label={t`Kinds of resources`}
              tabs={tabs.map((name) => ({
                value: name,
                title: titles[name],
                ...(counts &&
                  counts[name] !== null && {
                    more: <span className={styles.count}>{formatCount(counts[name])}</span>,
                  }),
              }))}
              value={tab}
            />
            {tabs.map((name) => (
              <Tabs.Panel key={name} value={name} className={pieces.inOrder ?? ''}>
                {name === 'computer' && <ComputerTab path={path} endpointId={endpointId} />}
                {name !== 'computer' && !now && problem === null && <Loading />}
                {name !== 'computer' && !now && problem !== null && (
                  <LoadError
                    capability="management"
                    title={t`The resources could not be read`}
                    problem={problem}
                    retry={retry}
                  />
                )}
                {now && name === 'templates' && <TemplatesTab accountId={accountId} target={target} now={now} />}
                {now && name === 'volumes' && (
                  <VolumesTab accountId={accountId} target={target} now={now} volumeId={volumeId} path={path} />
                )}
                {now && name === 'images' && (
                  <ImagePulls key={accountId} accountId={accountId} target={target} registryAuths={now.registryAuths} />
                )}
                {now && name === 'images' && <ImagesTab accountId={accountId} target={target} now={now} />}
                {now && name === 'registries' && <RegistriesTab accountId={accountId} target={target} now={now} />}
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
    <div className={styles.loading} role="group" aria-label={t`Loading`} aria-busy="true">
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <Skeleton key={row} h={12} w={`${80 - row * 9}%`} radius={4} />
      ))}
    </div>
  );
}
