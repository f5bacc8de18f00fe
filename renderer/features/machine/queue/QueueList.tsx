/** The waiting jobs as a list that is put into another order by dragging, by buttons, or with Alt and the arrows. */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { ActionIcon } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import type { QueuedJob } from '#contract/local/machine.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { formatAgo, formatMoment } from '../../../ui/text/format.ts';
import { Id } from '../../../ui/primitives/Id.tsx';
import { useNow } from '../../../ui/primitives/useNow.ts';
import page from '../machine.module.css';
import styles from './queue.module.css';
import { beforeFor, moved } from './order.ts';

/** One more than these is asked for, so that the last of them can be moved to its place, too. */
export const SHOWN = 100;
const TICK_MS = 5000;

interface QueueListProps {
  accountId: string;
  endpointId: string;
  jobs: readonly QueuedJob[];
  onBusy: (busy: boolean) => void;
}

interface Move {
  id: string;
  from: number;
  to: number;
}

export function QueueList({ accountId, endpointId, jobs, onBusy }: QueueListProps) {
  const queries = useQueryClient();
  const now = useNow(TICK_MS);
  const list = useRef<HTMLOListElement>(null);
  /** Its row takes the focus again once it stands where it was put. */
  const refocus = useRef<string | null>(null);
  const [drag, setDrag] = useState<{ from: number; over: number } | null>(null);
  const ids = jobs.map(({ id }) => id);
  const shown = jobs.slice(0, SHOWN);
  const { queryKey } = orpc.machine.queue.queryOptions({ input: { accountId, endpointId, limit: SHOWN + 1 } });

  const move = useMutation({
    mutationFn: ({ id, before }: { id: string; before: string | null }) =>
      api.machine.move({ accountId, jobId: id, before }),
    onError: (error) => notifications.show({ title: 'Not moved', message: errorText(error), 'data-tone': 'bad' }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });

  const put = ({ id, from, to }: Move) => {
    const before = beforeFor(ids, from, to);
    if (before === undefined || to >= SHOWN) return;
    void queries.cancelQueries({ queryKey });
    queries.setQueryData(queryKey, (known) => known && moved(known, from, to));
    announce(`Moved to place ${to + 1} of ${shown.length}`);
    move.mutate({ id, before });
  };

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
    put({ id, from, to: from + by });
  };

  const stopDrag = () => {
    setDrag(null);
    onBusy(false);
  };

  return (
    <ol ref={list} className={styles.queue} aria-label="Waiting jobs, the first goes first">
      {shown.map(({ id, submittedAt, lowPriority, retries }, index) => {
        const at = Date.parse(submittedAt);
        return (
          <li
            key={id}
            draggable
            data-drag={drag?.from === index || undefined}
            data-over={
              drag && drag.over === index && drag.from !== index ? (drag.from > index ? 'above' : 'below') : undefined
            }
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', id);
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
              const dragged = drag && ids[drag.from];
              if (drag && dragged !== undefined && dragged !== null) put({ id: dragged, from: drag.from, to: index });
              stopDrag();
            }}
            onDragEnd={stopDrag}
          >
            <button
              type="button"
              className={styles.grip}
              data-job={id}
              aria-label={`Job ${id}, place ${index + 1}`}
              aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
              title="Drag, or move with Alt and the arrows"
              onKeyDown={(event) => onKey(event, id, index)}
            >
              <GripVertical size={13} aria-hidden />
            </button>
            <span className={styles.place}>{index + 1}</span>
            <Id text={id} what="job id" />
            {lowPriority && <span className={styles.tag}>low priority</span>}
            {retries > 0 && <span className={styles.tag}>begun {retries === 1 ? 'once' : `${retries} times`}</span>}
            <span className={page.ago} title={formatMoment(at)}>
              {formatAgo(at, now)}
            </span>
            <span className={styles.moves}>
              <ActionIcon
                size={22}
                aria-label={`Move job ${id} up`}
                disabled={index === 0}
                onClick={() => put({ id, from: index, to: index - 1 })}
              >
                <ArrowUp size={13} aria-hidden />
              </ActionIcon>
              <ActionIcon
                size={22}
                aria-label={`Move job ${id} down`}
                disabled={index === shown.length - 1}
                onClick={() => put({ id, from: index, to: index + 1 })}
              >
                <ArrowDown size={13} aria-hidden />
              </ActionIcon>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
