/** Comparisons that ran before, from the tags of the ledger: one is opened with its columns and its input. */
import { useState } from 'react';
import { Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { draftText, setDraft } from '../../../state/drafts.ts';
import { stateFilters } from '../../../state/jobsFilter.ts';
import { formatCount } from '../../../ui/text/format.ts';
import { Popover } from '../../../ui/popover/Popover.tsx';
import { offerUndo } from '../../../ui/undo/offerUndo.tsx';
import inputStyles from '../inputs/inputs.module.css';
import { addColumn, changeColumn, columnJobs, columns, COMPARE_DRAFT, isCompareTag } from './comparison.ts';
import { splitBodies } from './ownFields.ts';
import { t } from '../../../language/text.ts';

const SHOWN = 30;
/** A comparison has at most six jobs, each of which may be sent again. */
const MOST_JOBS = 100;

async function openComparison(tag: string): Promise<void> {
  const { entries } = await api.jobs.list({ filter: { tag }, offset: 0, limit: MOST_JOBS });
  const jobs = columnJobs(entries);
  const details = await Promise.all(jobs.map(({ entryId }) => api.jobs.get({ entryId })));
  const { shared, own } = splitBodies(details.map(({ body }) => body));
  const before = { columns: columns.get(), text: draftText.get(COMPARE_DRAFT) };
  columns.set([]);
  for (const [at, job] of jobs.entries()) {
    const column = addColumn(job, own[at]);
    if (column) changeColumn(column.id, { entryId: job.entryId });
  }
  if (jobs.length > 0) setDraft(COMPARE_DRAFT, shared);
  offerUndo(t`Opened ${tag}`, () => {
    columns.set(before.columns);
    if (before.text === null) draftText.set(COMPARE_DRAFT, null);
    else setDraft(COMPARE_DRAFT, before.text);
  });
}

const failedStatuses: readonly string[] = stateFilters.failed.statuses;

/** When it ran, with which input on which endpoints, and how many of them failed. */
function Comparison({ tag }: { tag: string }) {
  const { data } = useQuery(
    orpc.jobs.list.queryOptions({ input: { filter: { tag }, offset: 0, limit: MOST_JOBS }, staleTime: 0 }),
  );
  const jobs = columnJobs(data?.entries ?? []);
  const failed = jobs.filter(({ status }) => failedStatuses.includes(status)).length;
  const preview = jobs[0]?.preview;
  const on = [...new Set(jobs.map(({ endpointName }) => endpointName))].join(', ');
  return (
    <span>
      {tag.replace(/^compare /, '')}
      {preview != null && <Text lineClamp={1}>{preview}</Text>}
      <Text c="dimmed" fz="xs">
        {on}
        {failed > 0 && ` · ${t`${formatCount(failed)} failed`}`}
      </Text>
    </span>
  );
}

export function EarlierMenu() {
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const tags = useQuery(orpc.jobs.tags.queryOptions({ enabled: open, staleTime: 0 }));
  const earlier = (tags.data ?? []).filter(isCompareTag).toReversed().slice(0, SHOWN);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={280} withRoles>
      <Popover.Target>
        <UnstyledButton className={inputStyles.opener} onClick={() => setOpen(!open)}>
          {t`Earlier`} <ChevronDown size={13} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label={t`Earlier comparisons`}>
        {earlier.length > 0 ? (
          <ul className={inputStyles.list} aria-label={t`Earlier comparisons`}>
            {earlier.map((tag) => (
              <li key={tag}>
                <UnstyledButton
                  className={inputStyles.item}
                  onClick={() =>
                    void openComparison(tag).then(
                      () => setOpen(false),
                      (error: unknown) => setProblem(errorText(error)),
                    )
                  }
                >
                  <Comparison tag={tag} />
                </UnstyledButton>
              </li>
            ))}
          </ul>
        ) : (
          <Text c="dimmed" px={6} py={4}>
            {tags.isError ? errorText(tags.error) : t`Comparisons that you run are listed here.`}
          </Text>
        )}
        {problem !== null && (
          <Text c="var(--bad)" px={6} py={4} role="alert">
            {problem}
          </Text>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
