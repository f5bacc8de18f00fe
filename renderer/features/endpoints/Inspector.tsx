/** Everything about one endpoint, beside the list. */
import { useState } from 'react';
import { ActionIcon, Button, Menu, Tabs, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Eraser, Link, Play, Trash2, X } from 'lucide-react';
import type { Account } from '#contract/app/account.ts';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { PauseState } from '#contract/local/machine.ts';
import { lackOf } from '../../client/accounts.ts';
import { useLogFeed } from '../../client/logFeed.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { navigate } from '../../state/route.ts';
import { endpointTabs, type EndpointTab } from '../../state/routePath.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { TextView } from '../../ui/job/TextView.tsx';
import { LogView } from '../../ui/log/LogView.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { EndpointChip } from './EndpointChip.tsx';
import { stateOf } from './endpointState.ts';
import styles from '../../ui/theme/inspector.module.css';
import { JobsTab } from './JobsTab.tsx';
import { OverviewTab } from './OverviewTab.tsx';
import { PurgeDialog } from './PurgeDialog.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import { SettingsTab } from './settings/SettingsTab.tsx';
import { WorkersTab } from './workers/WorkersTab.tsx';

interface InspectorProps {
  accountId: string;
  row: EndpointRow;
  pause: PauseState | null;
  account: Account | null;
  tab: EndpointTab;
  onClose: () => void;
}

const titles: Record<EndpointTab, string> = {
  overview: 'Overview',
  workers: 'Workers',
  logs: 'Logs',
  jobs: 'Jobs',
  settings: 'Settings',
  json: 'JSON',
};

export function Inspector({ accountId, row, pause, account, tab, onClose }: InspectorProps) {
  const [asking, setAsking] = useState<'purge' | 'remove' | null>(null);
  const detail = useQuery(orpc.endpoints.get.queryOptions({ input: { accountId, endpointId: row.id }, retry: false }));
  const { state, why } = stateOf(row, pause);
  /** One that balances load has neither jobs nor a queue. */
  const hasQueue = row.type === 'QB';
  const tells = (what: 'workers' | 'logs') => account === null || account.capabilities.includes(what);
  const copyLink = () => {
    void navigator.clipboard.writeText(location.href).then(() => announce('Copied link'));
  };
  const show = (next: string | null) => {
    const known = endpointTabs.find((name) => name === next);
    if (known) navigate({ page: 'endpoints', endpointId: row.id, tab: known }, { replace: true });
  };

  return (
    <Card grow aria-label="Endpoint" role="region">
      <header className={styles.inspectorHead}>
        <h2 title={row.name}>{row.name}</h2>
        <EndpointChip state={state} why={why} />
        <span className={styles.space} />
        {hasQueue && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Play size={11} fill="currentColor" aria-hidden />}
            onClick={() => navigate({ page: 'run', endpointId: row.id })}
          >
            Run
          </Button>
        )}
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon aria-label={`More for ${row.name}`}>
              <Ellipsis size={15} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {hasQueue && (
              <Menu.Item leftSection={<Eraser size={14} aria-hidden />} onClick={() => setAsking('purge')}>
                Purge the queue…
              </Menu.Item>
            )}
            <Menu.Item leftSection={<Trash2 size={14} aria-hidden />} onClick={() => setAsking('remove')}>
              Delete the endpoint…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Tooltip label="Copy the link to this endpoint">
          <ActionIcon aria-label="Copy the link to this endpoint" onClick={copyLink}>
            <Link size={13} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Close (Esc)">
          <ActionIcon aria-label="Close the endpoint" onClick={onClose}>
            <X size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </header>
      <Tabs value={tab === 'jobs' && !hasQueue ? 'overview' : tab} onChange={show} keepMounted={false}>
        <Tabs.List aria-label="Endpoint">
          {endpointTabs
            .filter((name) => hasQueue || name !== 'jobs')
            .map((name) => (
              <Tabs.Tab key={name} value={name}>
                {titles[name]}
              </Tabs.Tab>
            ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OverviewTab {...{ accountId, row, pause }} detail={detail.data} address={account?.address ?? null} />
        </Tabs.Panel>
        <Tabs.Panel value="workers">
          {tells('workers') ? (
            <WorkersTab {...{ accountId, row, account }} />
          ) : (
            <NotTold what="workers" account={account} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="logs">
          {tells('logs') ? <EndpointLog accountId={accountId} row={row} /> : <NotTold what="logs" account={account} />}
        </Tabs.Panel>
        {hasQueue && (
          <Tabs.Panel value="jobs">
            <JobsTab accountId={accountId} row={row} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="settings">
          {detail.data ? (
            <SettingsTab key={detail.data.endpoint.id} accountId={accountId} detail={detail.data} />
          ) : (
            <Missing problem={detail.isError ? errorText(detail.error) : null} onRetry={() => void detail.refetch()} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="json">
          {detail.data ? (
            <TextView
              text={JSON.stringify({ endpoint: detail.data.endpoint, template: detail.data.template }, null, 2)}
              what="endpoint and template as JSON"
            />
          ) : (
            <Missing problem={detail.isError ? errorText(detail.error) : null} onRetry={() => void detail.refetch()} />
          )}
        </Tabs.Panel>
      </Tabs>
      <PurgeDialog accountId={accountId} row={row} opened={asking === 'purge'} onClose={() => setAsking(null)} />
      <RemoveDialog
        accountId={accountId}
        row={row}
        sharedWith={detail.data?.templateSharedWith}
        opened={asking === 'remove'}
        onClose={() => setAsking(null)}
        onRemoved={onClose}
      />
    </Card>
  );
}

function EndpointLog({ accountId, row }: { accountId: string; row: EndpointRow }) {
  const feed = useLogFeed(accountId, { endpointId: row.id });
  return (
    <LogView
      feed={feed}
      label={`Log of ${row.name}`}
      emptyText={`What its workers write appears here as it is written. ${row.type === 'QB' ? 'Run a job' : 'Send a request'} to start one.`}
    />
  );
}

const NotTold = ({ what, account }: { what: 'workers' | 'logs'; account: Account | null }) => (
  <Empty title={`This account does not tell of its ${what}`}>
    {lackOf(account, what) ?? 'An engine of Hangar does, and an account that speaks REST v2.'} The numbers are in the
    overview.
  </Empty>
);

function Missing({ problem, onRetry }: { problem: string | null; onRetry: () => void }) {
  if (problem === null)
    return <div className={styles.panelSkeleton} aria-busy="true" role="group" aria-label="Loading" />;
  return (
    <Empty title="This could not be read" action={<Button onClick={onRetry}>Try again</Button>}>
      {problem}
    </Empty>
  );
}

export const InspectorSkeleton = () => (
  <Card grow aria-label="Endpoint" role="region" aria-busy>
    <header className={styles.inspectorHead} />
    <div className={styles.panelSkeleton} />
  </Card>
);
