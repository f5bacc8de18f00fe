/** The endpoints of the target that had jobs in the last 24 hours: how often these ran, how long, and their workers. */
import { useQuery } from '@tanstack/react-query';
import { useTarget } from '../../client/accounts.ts';
import { useEndpointTotals } from '../../client/endpointTotals.ts';
import { endedRuns } from '../../ui/endpoint/endedRuns.ts';
import { removedWords } from '../../ui/endpoint/removedRuns.ts';
import { joinSentences } from '../../language/sentences.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { formatRoute } from '../../state/routePath.ts';
import { MiddleCut } from '../../ui/files/MiddleCut.tsx';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import { isPaused } from '../../ui/text/endpointState.ts';
import { Pending } from '../../ui/page/Pending.tsx';
import { formatCount, formatDuration } from '../../ui/text/format.ts';
import styles from './home.module.css';
import { t } from '../../language/text.ts';

const MOST = 6;

/** Renders nothing while no endpoint had a job, or where the account has no metrics. */
export function EndpointsCard() {
  const { accountId, account } = useTarget();
  const { totals, isPending } = useEndpointTotals(accountId);
  const { data, isPending: isListPending } = useQuery(
    orpc.endpoints.now.queryOptions({ input: { accountId }, retry: false }),
  );
  if (isPending || isListPending) return <Pending />;
  const busy = (data?.rows ?? [])
    .flatMap((row) => {
      const total = totals.get(row.id);
      return total && total.accepted + endedRuns(total) > 0 ? [{ ...row, total, runs: endedRuns(total) }] : [];
    })
    .toSorted((one, other) => other.runs - one.runs);
  if (busy.length === 0) return null;
  return (
    <Card aria-label={t`Endpoints`} role="region">
      <CardHead title={t`Endpoints`}>
        <span className={styles.quiet}>{t`last 24 hours`}</span>
        <a href={formatRoute({ page: 'endpoints', endpointId: null, tab: 'overview' })}>{t`All`}</a>
      </CardHead>
      <table className={styles.endpoints}>
        <thead>
          <tr>
            <th scope="col">{t`Name`}</th>
            <th
              scope="col"
              title={joinSentences(
                t`A job that ran again counts once for each run.`,
                account !== null && removedWords(account),
              )}
            >{t`Runs`}</th>
            <th scope="col" title={t`Half of the jobs took about this long or less`}>{t`p50`}</th>
            <th scope="col" title={t`95 % of the jobs took about this long or less`}>{t`p95`}</th>
            <th scope="col">{t`Workers`}</th>
          </tr>
        </thead>
        <tbody>
          {busy.slice(0, MOST).map(({ id, name, total, runs, health, workersMax }) => (
            <tr key={id}>
              <td>
                <a className={styles.plain} href={formatRoute({ page: 'endpoints', endpointId: id, tab: 'overview' })}>
                  <MiddleCut text={name} />
                </a>
              </td>
              <td>{formatCount(runs)}</td>
              <td>{total.execution ? formatDuration(total.execution.p50) : '–'}</td>
              <td>{total.execution ? formatDuration(total.execution.p95) : '–'}</td>
              <td>
                {isPaused({ workersMax })
                  ? t`Paused`
                  : health
                    ? t`${formatCount(health.workers.idle + health.workers.running)} of ${workersMax}`
                    : '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
