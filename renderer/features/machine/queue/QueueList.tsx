/** The waiting jobs as a list that a person reorders by dragging, with buttons, or with Alt and the arrow keys. */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import type { WaitingJob } from '#contract/bridge/machine.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { formatAgo, formatMoment } from '../../../ui/text/format.ts';
import { useNow } from '../../../ui/primitives/useNow.ts';
import page from '../machine.module.css';
import styles from './queue.module.css';
import { JobName } from './JobName.tsx';
import { beforeFor, moved } from './order.ts';
import { ReasonIcon } from '../../../ui/popover/ReasonButton.tsx';
import { counted, t } from '../../../language/text.ts';

/** The page reads one more job, so that the last visible one can also move. */
export const SHOWN = 100;
const TICK_MS = 5000;

interface QueueListProps {
  accountId: string;
  endpointId: string;
  jobs: readonly WaitingJob[];
  onBusy: (busy: boolean) => void;
}

/** Moves a job in the list immediately, then in the queue, and reads the list again. */
function useMove(accountId: string, endpointId: string, jobs: readonly WaitingJob[]) {
  const queries = useQueryClient();
  const { queryKey } = orpc.machine.queue.queryOptions({ input: { accountId, endpointId, limit: SHOWN + 1 } });
  const move = useMutation({
    mutationFn: ({ id, before }: { id: string; before: string | null }) =>
      api.machine.move({ accountId, jobId: id, before }),
    onError: (error) => notifications.show({ title: t`Not moved`, message: errorText(error), 'data-tone': 'bad' }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  return (id: string, from: number, to: number) => {
    const before = beforeFor(
      jobs.map((job) => job.id),
      from,
      to,
    );
    if (before === undefined || to >= SHOWN) return;
    void queries.cancelQueries({ queryKey });
    queries.setQueryData(queryKey, (known) => known && moved(known, from, to));
    announce(t`Moved to place ${to + 1} of ${Math.min(jobs.length, SHOWN)}`);
    move.mutate({ id, before });
  };
}

export function QueueList({ accountId, endpointId, jobs, onBusy }: QueueListProps) {
  const now = useNow(TICK_MS);
  const list = useRef<HTMLOListElement>(null);
  /** The row that gets the focus again after its move. */
  const refocus = useRef<string | null>(null);
  const [drag, setDrag] = useState<{ from: number; over: number } | null>(null);
  const put = useMove(accountId, endpointId, jobs);
  const shown = jobs.slice(0, SHOWN);

  useEffect(() => {
    if (refocus.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-job="${CSS.escape(refocus.current)}"]`)?.focus();
    refocus.current = null;
  }, [jobs]);

  const onKey = (event: KeyboardEvent, id: string, from: number) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    if (!event.altKey) {
      list.current?.querySelectorAll<HTMLElement>('[data-job]')[from + by]?.focus();
      return;
    }
    refocus.current = id;
    put(id, from, from + by);
  };

  const stopDrag = () => {
    setDrag(null);
    onBusy(false);
  };

  return (
    <ol ref={list} className={styles.queue} aria-label={t`Waiting jobs, next one first`}>
      {shown.map((job, index) => (
        <li
          key={job.id}
          draggable
          data-drag={drag?.from === index || undefined}
          data-over={
            drag && drag.over === index && drag.from !== index ? (drag.from > index ? 'above' : 'below') : undefined
          }
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move';
            event.dataTransfer.setData('text/plain', job.id);
            setDrag({ from: index, over: index });
            onBusy(true);
          }}
          onDragOver={(event) => {
            if (drag === null) return;
            event.preventDefault();
            if (drag.over !== index) setDrag({ ...drag, over: index });
          }}
          onDrop={(event) => {
            event.preventDefault();
            const dragged = drag && jobs[drag.from];
            if (drag && dragged) put(dragged.id, drag.from, index);
            stopDrag();
          }}
          onDragEnd={stopDrag}
        >
          <QueueRow
            job={job}
            index={index}
            now={now}
            isLast={index === shown.length - 1}
            onKey={(event) => onKey(event, job.id, index)}
            onMove={(to) => put(job.id, index, to)}
          />
        </li>
      ))}
    </ol>
  );
}

interface QueueRowProps {
  job: WaitingJob;
  index: number;
  isLast: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  onKey: (event: KeyboardEvent) => void;
  onMove: (to: number) => void;
}

function QueueRow({ job, index, isLast, now, onKey, onMove }: QueueRowProps) {
  const { id, submittedAt, lowPriority, retries, preview } = job;
  const name = preview ?? id;
  const at = Date.parse(submittedAt);
  return (
    <>
      <button
        type="button"
        className={styles.grip}
        data-job={id}
        aria-label={t`Job ${name}, place ${index + 1}`}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        title={t`Drag, or press Alt with an arrow key`}
        onKeyDown={onKey}
      >
        <GripVertical size={13} aria-hidden />
      </button>
      <span className={styles.place}>{index + 1}</span>
      <JobName id={id} preview={preview} />
      {lowPriority && <span className={styles.tag}>{t`low priority`}</span>}
      {retries > 0 && <span className={styles.tag}>{counted(retries, 'started once', 'started {0} times')}</span>}
      <span className={page.ago} title={formatMoment(at)}>
        {formatAgo(at, now)}
      </span>
      <span className={styles.moves}>
        <ReasonIcon
          size={22}
          aria-label={t`Move job ${name} up`}
          whyNot={index === 0 ? t`It is already first.` : null}
          onClick={() => onMove(index - 1)}
        >
          <ArrowUp size={13} aria-hidden />
        </ReasonIcon>
        <ReasonIcon
          size={22}
          aria-label={t`Move job ${name} down`}
          whyNot={isLast ? t`It is already last.` : null}
          onClick={() => onMove(index + 1)}
        >
          <ArrowDown size={13} aria-hidden />
        </ReasonIcon>
      </span>
    </>
  );
}
