/** The newest jobs in the palette, by what they are about. */
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { List } from 'lucide-react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { navigate } from '../../../state/route.ts';
import { shortId, lineText } from '../../../ui/domain/jobText.ts';
import { StateChip, stateStyles } from '../../../ui/domain/StateChip.tsx';
import { formatMoment } from '../../../ui/text/format.ts';
import { t } from '../../../language/text.ts';

const RECENT = 8;
const ICON = 15;

/** Its input or its error, with its endpoint, its state and its short id. It is found by its whole id, too. */
export function jobAction(entry: LedgerEntry): SpotlightActionData {
  const { entryId, jobId, endpointName, preview, status, sentAt } = entry;
  const id = jobId === null ? t`no id` : shortId(jobId);
  return {
    id: `job-${entryId}`,
    label: lineText(entry),
    description: [endpointName, id, formatMoment(sentAt)].join(' · '),
    keywords: ['job', status, stateStyles[status].word, jobId ?? '', preview ?? ''],
    leftSection: <List size={ICON} aria-hidden />,
    rightSection: <StateChip status={status} />,
    onClick: () => navigate({ page: 'jobs', entryId }),
  };
}

/** `open`: whether the palette is; the jobs are read then. */
export function useJobActions(open: boolean): SpotlightActionGroupData {
  const input = { filter: {}, offset: 0, limit: RECENT };
  const { data } = useQuery(orpc.jobs.list.queryOptions({ input, enabled: open, staleTime: 0 }));
  return { group: t`Recent jobs`, actions: (data?.entries ?? []).map(jobAction) };
}
