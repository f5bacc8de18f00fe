/** The messages of a conversation, the answer that arrives now, and what can be done with each of them. */
import { Fragment, useState } from 'react';
import { ActionIcon, Button, Group, Textarea, Tooltip } from '@mantine/core';
import { Pencil, RotateCw } from 'lucide-react';
import { navigate } from '../../../state/route.ts';
import { Markdown } from '../../../ui/output/parts/MarkdownPart.tsx';
import { ReasonButton, ReasonIcon } from '../../../ui/popover/ReasonButton.tsx';
import { CopyButton } from '../../../ui/primitives/CopyButton.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { formatCount, formatDuration } from '../../../ui/text/format.ts';
import { linkedNames } from '../../../ui/endpoint/linkedNames.tsx';
import { RouteLink } from '../../../ui/primitives/RouteLink.tsx';
import { withFieldLabels } from '../../../ui/text/fieldLabels.ts';
import type { ArrivingAnswer, Place } from './chatAnswers.ts';
import styles from './chat.module.css';
import { STILL_ARRIVES, tokenRate, type ChatMessage } from './conversations.ts';
import { counted, t } from '../../../language/text.ts';

interface ChatMessagesProps {
  messages: readonly ChatMessage[];
  arriving: ArrivingAnswer | null;
  /** Why the answer has not begun; null if nothing is known about it. */
  waitReason: string | null;
  /** The endpoint that answers. */
  place: Pick<Place, 'accountId' | 'endpointId'>;
  /** Replaces the message of the person at this place, drops those after it, and sends. */
  onEdit: (index: number, text: string) => void;
  /** Drops the last answer and asks for another one. */
  onAgain: () => void;
}

export function ChatMessages({ messages, arriving, waitReason, place, onEdit, onAgain }: ChatMessagesProps) {
  const [edited, setEdited] = useState<number | null>(null);
  return messages
    .map((message, index) => (
      <Fragment key={index}>
        {message.role === 'user' ? (
          <PersonMessage
            message={message}
            isEdited={edited === index}
            canEdit={arriving === null}
            onEdit={() => setEdited(index)}
            onCancel={() => setEdited(null)}
            onSend={(text) => {
              setEdited(null);
              onEdit(index, text);
            }}
          />
        ) : (
          <Answer message={message} onAgain={index === messages.length - 1 && arriving === null ? onAgain : null} />
        )}
      </Fragment>
    ))
    .concat(
      arriving === null && messages.at(-1)?.role === 'user' ? <Unanswered key="unanswered" onAgain={onAgain} /> : [],
    )
    .concat(
      arriving === null ? [] : <Arriving key="arriving" answer={arriving} waitReason={waitReason} place={place} />,
    );
}

interface PersonMessageProps {
  message: ChatMessage;
  isEdited: boolean;
  canEdit: boolean;
  onEdit: () => void;
  onCancel: () => void;
  onSend: (text: string) => void;
}

function PersonMessage({ message, isEdited, canEdit, onEdit, onCancel, onSend }: PersonMessageProps) {
  return (
    <article className={styles.message} data-role="user" aria-label={t`You`}>
      <header className={styles.role}>
        {t`You`}
        <span className={styles.actions}>
          <CopyButton text={message.text} label={t`Copy message`} />
          <ReasonIcon
            aria-label={t`Edit and send again`}
            size={22}
            whyNot={canEdit ? null : STILL_ARRIVES}
            hint={t`Edit and send again`}
            onClick={onEdit}
          >
            <Pencil size={13} aria-hidden />
          </ReasonIcon>
        </span>
      </header>
      {isEdited ? (
        <Editing first={message.text} onCancel={onCancel} onSend={onSend} />
      ) : (
        <p className={styles.plain}>{message.text}</p>
      )}
    </article>
  );
}

function Editing({ first, onCancel, onSend }: { first: string; onCancel: () => void; onSend: (text: string) => void }) {
  const [text, setText] = useState(first);
  const send = () => text.trim() !== '' && onSend(text);
  return (
    <div
      data-own-keys="Mod+Enter"
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          onCancel();
        }
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.stopPropagation();
          send();
        }
      }}
    >
      <Textarea
        aria-label={t`Edited message`}
        autosize
        minRows={2}
        maxRows={12}
        autoFocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group gap={8} mt={8} justify="flex-end">
        <span className={styles.note}>{t`The messages after it are removed.`}</span>
        <Button size="xs" variant="default" onClick={onCancel}>{t`Cancel`}</Button>
        <ReasonButton
          size="xs"
          whyNot={text.trim() === '' ? t`Enter a message first.` : null}
          onClick={send}
        >{t`Send again`}</ReasonButton>
      </Group>
    </div>
  );
}

function Answer({ message, onAgain }: { message: ChatMessage; onAgain: (() => void) | null }) {
  const { text, reasoning, problem, advice, stopped, cutOff } = message;
  const facts = [message.model, ...answerFacts(message)].filter((fact) => fact !== undefined);
  return (
    <article className={styles.message} data-role="assistant" aria-label={t`Assistant`}>
      <header className={styles.role}>
        {t`Assistant`}
        <span className={styles.actions}>
          {text !== '' && <CopyButton text={text} label={t`Copy answer`} />}
          {onAgain && (
            <Tooltip label={t`Answer again`}>
              <ActionIcon aria-label={t`Answer again`} size={22} onClick={onAgain}>
                <RotateCw size={13} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
        </span>
      </header>
      {reasoning !== undefined && <Reasoning text={reasoning} />}
      {text !== '' && <Markdown text={text} />}
      {problem !== undefined && (
        <div className={styles.problem}>
          <Notice
            tone="bad"
            title={problem}
            action={onAgain && <Button size="xs" variant="default" onClick={onAgain}>{t`Try again`}</Button>}
          >
            {advice}
          </Notice>
        </div>
      )}
      <p className={styles.facts}>
        {[...facts, stopped ? t`stopped by you` : null, cutOff ? t`cut off: it reached the maximum length` : null]
          .filter((fact) => fact !== null)
          .join(' · ')}
        <JobLink jobId={message.jobId ?? null} />
      </p>
    </article>
  );
}

/** The job of an answer, where the service names it. The page Jobs finds it by its id. */
function JobLink({ jobId }: { jobId: string | null }) {
  if (jobId === null) return null;
  return <button type="button" className={styles.link} onClick={() => void openJob(jobId)}>{t`Show its job`}</button>;
}

async function openJob(jobId: string): Promise<void> {
  const { api } = await import('../../../client/transport/orpc.ts');
  const entry = await api.jobs.find({ jobId }).catch(() => null);
  navigate({ page: 'jobs', entryId: entry?.entryId ?? null });
}

function answerFacts(message: ChatMessage): string[] {
  const { tokens, isEstimate, firstMs } = message;
  const rate = tokenRate(message);
  const about = isEstimate ? '≈\u00a0' : '';
  return [
    ...(firstMs === undefined ? [] : [t`first token after ${formatDuration(firstMs)}`]),
    ...(tokens === undefined ? [] : [`${about}${counted(tokens, '{0} token', '{0} tokens', formatCount(tokens))}`]),
    ...(rate === null ? [] : [`${about}${rateWords(rate)}`]),
  ];
}

const rateWords = (rate: number): string => t`${rate < 10 ? rate.toFixed(1) : Math.round(rate)} tokens/s`;

function Reasoning({ text }: { text: string }) {
  return (
    <details className={styles.reasoning}>
      <summary>{t`Reasoning`}</summary>
      <div>{text}</div>
    </details>
  );
}

function Unanswered({ onAgain }: { onAgain: () => void }) {
  return (
    <div className={styles.unanswered}>
      <span>{t`This message has no answer.`}</span>
      <Button size="xs" variant="default" onClick={onAgain}>{t`Send it again`}</Button>
    </div>
  );
}

type ArrivingProps = { answer: ArrivingAnswer } & Pick<ChatMessagesProps, 'waitReason' | 'place'>;

function Arriving({ answer, waitReason, place: { accountId, endpointId } }: ArrivingProps) {
  const { text, reasoning, firstAt, lastAt, sentAt, pieces } = answer;
  const rate = firstAt === null || lastAt === null ? null : tokenRate({ tokens: pieces, streamMs: lastAt - firstAt });
  return (
    <article className={styles.message} data-role="assistant" aria-label={t`Assistant, answering`} aria-busy="true">
      <header className={styles.role}>{t`Assistant`}</header>
      {reasoning !== '' && (
        <details className={styles.reasoning} open={text === ''}>
          <summary>{t`Reasoning`}</summary>
          <div>{reasoning}</div>
        </details>
      )}
      {text !== '' && <Markdown text={text} live />}
      {firstAt === null ? (
        <p className={styles.waiting} role="status">
          {t`Waiting for the first token.`} {waitReason !== null && linkedNames(accountId, withFieldLabels(waitReason))}{' '}
          {waitReason !== null && (
            <RouteLink accountId={accountId} to={{ page: 'endpoints', endpointId, tab: 'overview' }}>
              {t`Show the endpoint`}
            </RouteLink>
          )}
        </p>
      ) : (
        <p className={styles.facts}>
          {t`first token after ${formatDuration(firstAt - sentAt)}`}
          {rate !== null && ` · ≈\u00a0${rateWords(rate)}`}
        </p>
      )}
    </article>
  );
}
