/** Everything about one endpoint, beside the list. */
import { useState } from 'react';
import { ActionIcon, Button, Menu, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CodeXml, Ellipsis, Play } from 'lucide-react';
import type { Account } from '#contract/app/account.ts';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { PauseState } from '#contract/local/machine.ts';
import { lackOf } from '../../client/accounts.ts';
import { useLogFeed } from '../../client/logFeed.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { navigate } from '../../state/route.ts';
import { endpointTabs, type EndpointTab } from '../../state/routePath.ts';
import { codeOf, showCode } from '../../ui/endpoint/handlerCode.ts';
import { copyLink } from '../../ui/page/copyLink.ts';
import { InspectorHead } from '../../ui/page/InspectorHead.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { TabBar } from '../../ui/tabs/TabBar.tsx';
import { TextView } from '../../ui/job/TextView.tsx';
import { LogView } from '../../ui/log/LogView.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { EndpointChip } from './EndpointChip.tsx';
import { stateOf } from '../../ui/text/endpointState.ts';
import styles from '../../ui/theme/inspector.module.css';
import { JobsTab } from './JobsTab.tsx';
import { QuestionItems } from './list/QuestionItems.tsx';
import { Questions } from './list/Questions.tsx';
import { useEndpointActions, type Question } from './list/useEndpointActions.ts';
import { MetricsTab } from './metrics/MetricsTab.tsx';
import { OverviewTab } from './OverviewTab.tsx';
import { SettingsTab } from './settings/SettingsTab.tsx';
import { WorkersTab } from './workers/WorkersTab.tsx';
import { t } from '../../language/text.ts';

interface InspectorProps {
  accountId: string;
  row: EndpointRow;
  pause: PauseState | null;
  /** Whether its state is the last known one. */
  stale: boolean;
  account: Account | null;
  tab: EndpointTab;
  onClose: () => void;
}

const titles: Record<EndpointTab, string> = {
  overview: t`Overview`,
  metrics: t`Metrics`,
  workers: t`Workers`,
  logs: t`Logs`,
  jobs: t`Jobs`,
  settings: t`Settings`,
  json: 'JSON',
};

interface MoreMenuProps {
  accountId: string;
  row: EndpointRow;
  onChoose: (question: Question) => void;
}

function MoreMenu({ accountId, row, onChoose }: MoreMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label={t`More for ${row.name}`}>
          <Ellipsis size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <QuestionItems accountId={accountId} row={row} onAsk={onChoose} />
      </Menu.Dropdown>
    </Menu>
  );
}

export function Inspector({ accountId, row, pause, stale, account, tab, onClose }: InspectorProps) {
  const [asking, setAsking] = useState<Question | null>(null);
  const detail = useQuery(orpc.endpoints.get.queryOptions({ input: { accountId, endpointId: row.id }, retry: false }));
  const { state, why } = stateOf(row, pause);
  /** One that balances load has neither jobs nor a queue. */
  const hasQueue = row.type === 'QB';
  const tells = (what: 'workers' | 'logs') => account === null || account.capabilities.includes(what);
  const show = (next: string | null) => {
    const known = endpointTabs.find((name) => name === next);
    if (known) navigate({ page: 'endpoints', endpointId: row.id, tab: known }, { replace: true });
  };
  const code = codeOf(accountId, row);
  const shown = tab === 'jobs' && !hasQueue ? 'overview' : tab;
  useInspectorCommands({ accountId, row, tab, show, ask: setAsking });

  return (
    <Card grow aria-label={t`Endpoint`} role="region">
      <InspectorHead
        name={row.name}
        what={t`endpoint`}
        marks={<EndpointChip state={state} why={why} stale={stale} />}
        hasLink
        onClose={onClose}
      >
        {hasQueue && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Play size={11} fill="currentColor" aria-hidden />}
            onClick={() => navigate({ page: 'run', endpointId: row.id })}
          >{t`Run`}</Button>
        )}
        {code !== null && (
          <Button
            size="xs"
            variant="default"
            leftSection={<CodeXml size={12} aria-hidden />}
            onClick={() => showCode(code)}
          >{t`Code`}</Button>
        )}
        <MoreMenu accountId={accountId} row={row} onChoose={setAsking} />
      </InspectorHead>
      <Tabs value={shown} onChange={show} keepMounted={false}>
        <TabBar
          label={t`Endpoint`}
          tabs={endpointTabs
            .filter((name) => hasQueue || name !== 'jobs')
            .map((name) => ({ value: name, title: titles[name] }))}
          value={shown}
        />
        <Tabs.Panel value="overview">
          <OverviewTab
            accountId={accountId}
            row={row}
            pause={pause}
            detail={detail.data}
            address={account?.address ?? null}
          />
        </Tabs.Panel>
        <Tabs.Panel value="metrics">
          <Metrics accountId={accountId} row={row} account={account} />
        </Tabs.Panel>
        <Tabs.Panel value="workers">
          {tells('workers') ? (
            <WorkersTab accountId={accountId} row={row} account={account} />
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
              what={t`endpoint and template as JSON`}
              copyLabel={t`Copy endpoint and template as JSON`}
              language="JSON"
            />
          ) : (
            <Missing problem={detail.isError ? errorText(detail.error) : null} onRetry={() => void detail.refetch()} />
          )}
        </Tabs.Panel>
      </Tabs>
      <Questions accountId={accountId} row={row} asking={asking} onClose={() => setAsking(null)} onRemoved={onClose} />
    </Card>
  );
}

interface InspectorCommands {
  accountId: string;
  row: EndpointRow;
  tab: EndpointTab;
  show: (tab: EndpointTab) => void;
  ask: (what: Question) => void;
}

function useInspectorCommands({ accountId, row, tab, show, ask }: InspectorCommands): void {
  const { id, name, type } = row;
  const { duplicate, togglePause, isPaused, asksBefore } = useEndpointActions(accountId, row, ask);
  const hasQueue = type === 'QB';
  const code = codeOf(accountId, row);
  useCommands([
    hasQueue && { label: t`Run ${name}`, run: () => navigate({ page: 'run', endpointId: id }) },
    code !== null && {
      label: t`Edit the code of ${name}`,
      run: () => showCode(code),
    },
    ...endpointTabs
      .filter((other) => other !== tab && (hasQueue || other !== 'jobs'))
      .map((other) => ({ label: t`Show ${titles[other]} of ${name}`, run: () => show(other) })),
    { label: t`Copy the link to this endpoint`, run: copyLink },
    { label: t`Duplicate ${name}…`, run: duplicate },
    { label: isPaused ? t`Resume ${name}` : asksBefore ? t`Pause ${name}…` : t`Pause ${name}`, run: togglePause },
    hasQueue && { label: t`Purge the queue of ${name}…`, run: () => ask('purge') },
    { label: t`Delete the endpoint ${name}…`, run: () => ask('remove') },
  ]);
}

function EndpointLog({ accountId, row }: { accountId: string; row: EndpointRow }) {
  const feed = useLogFeed(accountId, { endpointId: row.id });
  const code = codeOf(accountId, row);
  return (
    <LogView
      feed={feed}
      codes={() => code}
      label={t`Log of ${row.name}`}
      emptyText={
        row.type === 'QB'
          ? t`Output of its workers appears here live. Run a job to start one.`
          : t`Output of its workers appears here live. Send a request to start one.`
      }
    />
  );
}

function Metrics({ accountId, row, account }: Pick<InspectorProps, 'accountId' | 'row' | 'account'>) {
  const isMeasured = account === null || account.capabilities.includes('local');
  if (isMeasured || row.type === 'QB') return <MetricsTab accountId={accountId} row={row} />;
  return (
    <Empty
      title={t`${account.name} does not report metrics of its endpoints`}
    >{t`Requests to a load-balancing endpoint go past Hangar, so it cannot count them. The Billing page shows the cost.`}</Empty>
  );
}

const NotTold = ({ what, account }: { what: 'workers' | 'logs'; account: Account | null }) => (
  <Empty
    title={t`This account does not report its ${what}`}
  >{t`${lackOf(account, what) ?? t`Hangar engines and accounts with REST v2 do.`} The numbers are in the overview.`}</Empty>
);

function Missing({ problem, onRetry }: { problem: string | null; onRetry: () => void }) {
  if (problem === null)
    return <div className={styles.panelSkeleton} aria-busy="true" role="group" aria-label={t`Loading`} />;
  return (
    <Empty tone="bad" title={t`This could not be read`} action={<Button onClick={onRetry}>{t`Try again`}</Button>}>
      {problem}
    </Empty>
  );
}

export const InspectorSkeleton = () => (
  <Card grow aria-label={t`Endpoint`} role="region" aria-busy>
    <header className={styles.inspectorHead} />
    <div className={styles.panelSkeleton} />
  </Card>
);
