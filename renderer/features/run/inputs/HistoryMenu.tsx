/** The inputs of the last jobs of an endpoint, to be taken again. */
import { useState } from 'react';
import { Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { ownJobsOptions } from '../../../client/jobs/ownJobs.ts';
import { useCommands } from '../../../state/commands.ts';
import { draftKey } from '../../../state/drafts.ts';
import { indentLine } from '../../../ui/job/jsonText.ts';
import { Popover } from '../../../ui/popover/Popover.tsx';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { formatAgo, formatBytes, formatMoment } from '../../../ui/text/format.ts';
import { stateStyles } from '../../../ui/domain/StateChip.tsx';
import { replaceDraft } from '../../../ui/undo/replaceDraft.ts';
import { previewOfInput } from './inputPreview.ts';
import styles from './inputs.module.css';
import { t } from '../../../language/text.ts';

const SHOWN = 12;
/** Larger bodies are named by their size, and read when they are taken. */
const PREVIEWED_BYTES = 64 * 1024;
const TICK_MS = 30_000;

interface HistoryMenuProps {
  accountId: string;
  endpointId: string;
}

export function HistoryMenu(props: HistoryMenuProps) {
  const [open, setOpen] = useState(false);
  useCommands([{ label: t`History`, description: t`Last inputs`, run: () => setOpen(true) }]);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={380} withRoles>
      <Popover.Target>
        <UnstyledButton className={styles.opener} onClick={() => setOpen(!open)}>
          {t`History`} <ChevronDown size={13} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label={t`Last inputs`}>
        <Inputs {...props} onTaken={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Inputs({ accountId, endpointId, onTaken }: HistoryMenuProps & { onTaken: () => void }) {
  const now = useNow(TICK_MS);
  const [problem, setProblem] = useState<string | null>(null);
  const list = useQuery({ ...ownJobsOptions({ accountId, endpointId }, SHOWN), staleTime: 0 });
  const entries = list.data?.entries ?? [];
  const bodies = useQueries({
    queries: entries.map(({ entryId, inputBytes }) => ({
      ...orpc.jobs.body.queryOptions({ input: { entryId }, retry: false }),
      enabled: inputBytes <= PREVIEWED_BYTES,
    })),
  });
  const take = async (entryId: string) => {
    try {
      replaceDraft(draftKey(accountId, endpointId), {
        text: indentLine(await api.jobs.body({ entryId })),
        replaced: t`Replaced the input with that of an earlier job`,
        taken: t`Loaded the input of that job`,
      });
      onTaken();
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  if (list.isPending) return <Skeleton h={60} radius={6} />;
  return (
    <>
      {entries.length === 0 && (
        <Text c="dimmed" px={6} py={2}>
          {list.isError
            ? errorText(list.error)
            : t`No input was sent in Stream or Wait for result yet. Messages of chats are in Chat.`}
        </Text>
      )}
      <ul className={styles.list} aria-label={t`Last inputs`}>
        {entries.map((entry, index) => {
          const body = bodies[index]?.data;
          const words = body === undefined ? formatBytes(entry.inputBytes) : previewOfInput(body);
          return (
            <li key={entry.entryId}>
              <UnstyledButton className={styles.item} onClick={() => void take(entry.entryId)}>
                <span className={styles.words}>{words}</span>
                <span className={styles.when} title={formatMoment(entry.sentAt)}>
                  {stateStyles[entry.status].word} · {formatAgo(entry.sentAt, now)}
                </span>
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
      {problem !== null && (
        <Text fz="xs" c="var(--bad)" px={6} role="alert">
          {problem}
        </Text>
      )}
    </>
  );
}
