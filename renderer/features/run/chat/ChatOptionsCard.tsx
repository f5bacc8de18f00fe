/** The options of a chat: model, system prompt, temperature and length; and the conversations that are kept. */
import { Autocomplete, NumberInput, Textarea, UnstyledButton } from '@mantine/core';
import { RotateCw, Trash2 } from 'lucide-react';
import { ReasonIcon } from '../../../ui/popover/ReasonButton.tsx';
import { Card } from '../../../ui/primitives/Card.tsx';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { formatAgo, formatCount } from '../../../ui/text/format.ts';
import { saveAgain } from '../../../client/saved/savedStore.ts';
import { Unsaved } from '../../../ui/saved/SavedState.tsx';
import { CodeLinks, type CodeRequest } from '../code/CodePopover.tsx';
import type { Place } from './chatAnswers.ts';
import styles from './chat.module.css';
import {
  STILL_ARRIVES,
  optionsRef,
  removeConversation,
  setChatOptions,
  shownConversation,
  titleOf,
  useChatOptions,
  useConversations,
} from './conversations.ts';
import { guessWords, type ModelGuess } from './useModelGuess.ts';
import type { Models } from './useModels.ts';
import { t } from '../../../language/text.ts';

const MINUTE_MS = 60_000;

interface ChatOptionsProps {
  place: Place;
  models: Models;
  /** The model while none is entered; null if none is known. */
  guess: ModelGuess | null;
  /** Whether a request to the endpoint costs money. */
  spends: boolean;
  /** Why nothing can be sent now; null when it can. */
  blocked: string | null;
  /** The conversation as code; null while the address of the endpoint is not known. */
  code: CodeRequest | null;
}

export function ChatOptionsCard({ place, models, guess, spends, blocked, code }: ChatOptionsProps) {
  const { draftKey } = place;
  const { options, problem } = useChatOptions(draftKey);
  const set = (change: Partial<typeof options>) => setChatOptions(draftKey, change);
  return (
    <Card aria-label={t`Chat options`}>
      <div className={styles.options}>
        <Autocomplete
          label={t`Model`}
          placeholder={guess?.name ?? t`The name of a model`}
          data={[...(models.list ?? [])]}
          // A chosen model does not hide the others.
          filter={({ options: all, search }) =>
            models.list?.includes(search)
              ? all
              : all.filter((one) => 'value' in one && one.value.toLowerCase().includes(search.toLowerCase()))
          }
          value={options.model}
          onChange={(model) => {
            set({ model });
            // Beside a typed name, the problem would look like one of the name.
            if (models.problem !== null) models.dismissProblem();
          }}
          maxLength={200}
          spellCheck={false}
          rightSectionPointerEvents="all"
          rightSection={
            <ReasonIcon
              aria-label={t`Load models`}
              size={22}
              loading={models.isLoading}
              whyNot={blocked}
              hint={spends ? t`Load models (a job, which costs money)` : t`Load models (a job)`}
              onClick={models.load}
            >
              <RotateCw size={13} aria-hidden />
            </ReasonIcon>
          }
          error={models.problem?.problem}
          description={modelWords(models, guess, options.model)}
        />
        {models.problem !== null && <p className={styles.note}>{models.problem.advice}</p>}
        <Textarea
          label={t`System prompt`}
          placeholder={t`None`}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={20_000}
          value={options.system}
          onChange={(event) => set({ system: event.currentTarget.value })}
        />
        <div className={styles.pair}>
          <NumberInput
            label={t`Temperature`}
            placeholder={t`Endpoint default`}
            min={0}
            max={2}
            step={0.1}
            decimalScale={2}
            value={options.temperature ?? ''}
            onChange={(value) => set({ temperature: typeof value === 'number' ? value : null })}
          />
          <NumberInput
            label={t`Max tokens`}
            placeholder={t`Endpoint default`}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            value={options.maxTokens ?? ''}
            onChange={(value) => set({ maxTokens: typeof value === 'number' ? value : null })}
          />
        </div>
        <Unsaved problem={problem} onRetry={() => saveAgain(optionsRef(draftKey))} />
      </div>
      <div className={styles.codeRow}>
        <CodeLinks request={code} />
      </div>
    </Card>
  );
}

/** What is known about the models; nothing beside a problem, which says it. */
function modelWords(
  { list, isLoading, problem, hasNoChat }: Models,
  guess: ModelGuess | null,
  entered: string,
): string | null {
  if (isLoading) return t`Asking the endpoint for its models…`;
  if (guess !== null && problem === null) return guessWords(guess);
  if (hasNoChat) return t`The endpoint lists no models.`;
  if (list === null && entered.trim() !== '') return null;
  if (list === null)
    return problem === null
      ? t`No model is known yet. Load the models of the endpoint, or enter the name that its handler takes.`
      : null;
  return list.length === 0 ? t`The endpoint lists no model.` : t`${formatCount(list.length)} listed by the endpoint`;
}

/** The conversations of the endpoint, newest first. */
export function ConversationList({ place, isAnswering }: { place: Place; isAnswering: boolean }) {
  const { draftKey } = place;
  const { list: all } = useConversations(draftKey);
  const shown = shownConversation.use(draftKey);
  const now = useNow(MINUTE_MS);
  if (all.length === 0) return null;
  return (
    <Card aria-label={t`Conversations`}>
      <h2 className={styles.listHead}>{t`Conversations`}</h2>
      <ul className={styles.list} aria-label={t`Conversations`}>
        {all.map((conversation) => {
          const { id, updatedAt } = conversation;
          const title = titleOf(conversation);
          return (
            <li key={id} data-chosen={id === shown || undefined}>
              <UnstyledButton
                className={styles.title}
                aria-current={id === shown || undefined}
                title={title}
                onClick={() => shownConversation.set(draftKey, id)}
              >
                {title}
              </UnstyledButton>
              <span className={styles.when}>{formatAgo(updatedAt, now)}</span>
              <ReasonIcon
                aria-label={t`Remove the conversation ${title}`}
                size={22}
                whyNot={isAnswering && id === shown ? STILL_ARRIVES : null}
                onClick={() => removeConversation(draftKey, id)}
              >
                <Trash2 size={13} aria-hidden />
              </ReasonIcon>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
