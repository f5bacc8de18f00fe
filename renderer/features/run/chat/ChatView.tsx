/**
 * The chat of an endpoint that answers OpenAI clients: a conversation, its options, and the conversations before it.
 */
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { Button, Kbd, Textarea } from '@mantine/core';
import { ArrowDown, SendHorizontal, Square } from 'lucide-react';
import { saveAgain, useSavedFeed } from '../../../client/saved/savedStore.ts';
import { SavedState, Unsaved } from '../../../ui/saved/SavedState.tsx';
import { useCommands } from '../../../state/commands.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { NameInButton } from '../../../ui/page/NameInButton.tsx';
import { announce } from '../../../ui/primitives/announce.tsx';
import { Card } from '../../../ui/primitives/Card.tsx';
import { CopyButton } from '../../../ui/primitives/CopyButton.tsx';
import { isOfInputMethod } from '../../../ui/keyboard/inputMethod.ts';
import { keyLabel } from '../../../ui/keyboard/shortcuts.ts';
import { Panes } from '../../../ui/primitives/SplitPane.tsx';
import { OutputFrameContext } from '../../../ui/output/frame.ts';
import { useFollowTail } from '../../../ui/scroll/useFollowTail.ts';
import type { CalledEndpoint } from '../code/CodePopover.tsx';
import { askChat, useArrivingAnswer, useStopAnswer, type Place } from './chatAnswers.ts';
import { ChatMessages } from './ChatMessages.tsx';
import { ChatOptionsCard, ConversationList } from './ChatOptionsCard.tsx';
import styles from './chat.module.css';
import { chatCode } from './chatRequest.ts';
import {
  STILL_ARRIVES,
  chatsAt,
  conversationRef,
  optionsRef,
  removeConversation,
  shownConversation,
  useChatOptions,
  useConversations,
  type ChatMessage,
  type ChatOptions,
  type Conversation,
  type SavedConversation,
} from './conversations.ts';
import { useModelGuess } from './useModelGuess.ts';
import { NothingYet } from './NothingYet.tsx';
import { useModels } from './useModels.ts';
import { useWaitReason } from './useWaitReason.ts';
import { newId } from '../../../client/newId.ts';
import { runView } from '../runView.ts';
import { rich, t } from '../../../language/text.ts';

interface ChatViewProps extends Place {
  endpointName: string;
  /** "this computer", "work account". */
  targetName: string;
  /** Whether a request there costs money. */
  spends: boolean;
  /** Why nothing can be sent now, for a person; null when it can. */
  blocked: string | null;
  /** The endpoint as code calls it; null while its address is not known. */
  called: CalledEndpoint | null;
  /** Shows the jobs of the endpoint instead, in the mode Stream. */
  onStream: () => void;
}

export default function ChatView(props: ChatViewProps) {
  const { draftKey } = props;
  useSavedFeed(chatsAt(draftKey));
  useSavedFeed(optionsRef(draftKey));
  const chats = useConversations(draftKey);
  const options = useChatOptions(draftKey);
  const unread = [chats, options].find(({ isRead }) => !isRead);
  if (unread !== undefined) {
    return (
      <Card grow aria-label={t`Chat`}>
        <div className={styles.talk}>
          <SavedState {...unread} />
        </div>
      </Card>
    );
  }
  return <ReadChat {...props} all={chats.list} options={options.options} />;
}

interface ReadChatProps extends ChatViewProps {
  /** The conversations of the endpoint. */
  all: readonly SavedConversation[];
  options: ChatOptions;
}

function ReadChat({ all, options, ...props }: ReadChatProps) {
  const { endpointName, targetName, spends, blocked, called, onStream, ...place } = props;
  const { draftKey } = place;
  const shown = shownConversation.use(draftKey);
  const conversation = all.find(({ id }) => id === shown);
  // A piece of the answer renders only the messages again.
  const stop = useStopAnswer(draftKey);
  const isAnswering = stop !== null;
  const models = useModels(place);

  const guess = useModelGuess(place, { entered: options.model, list: models.list, conversations: all });
  const model = options.model.trim() || (guess?.name ?? '');
  const ask = (messages: ChatMessage[]) => void askChat(place, conversation?.id ?? newId(), messages, model);
  useCommands([
    blocked === null &&
      !models.isLoading && {
        label: t`Load models`,
        description: spends ? t`A job of the endpoint, which costs money` : t`A job of the endpoint`,
        run: models.load,
      },
  ]);
  // An endpoint without a chat opens with its jobs the next time.
  const leave = useEffectEvent(() => {
    if (models.hasNoChat && model === '') runView.set(draftKey, 'job');
  });
  useEffect(() => () => leave(), []);
  const noModel = model === '' ? t`Choose a model first, or load the models of the endpoint.` : null;
  return (
    <Panes
      place="chat"
      leftSize="68%"
      left={
        <Card grow="tall" aria-label={t`Chat`}>
          <ChatHead place={place} conversation={conversation} isAnswering={isAnswering} />
          <Talk
            key={shown ?? 'new'}
            place={place}
            conversation={conversation}
            empty={
              <NothingYet
                accountId={place.accountId}
                endpointName={endpointName}
                spends={spends}
                blocked={blocked}
                models={models}
                hasModel={model !== ''}
                onStream={onStream}
              />
            }
            onAsk={ask}
          />
          <ChatInput
            key={`input-${shown ?? 'new'}`}
            targetName={targetName}
            spends={spends}
            blocked={blocked ?? noModel}
            onStop={stop}
            onSend={(text) => ask([...(conversation?.messages ?? []), { role: 'user', text }])}
          />
        </Card>
      }
      right={
        <>
          <ChatOptionsCard
            place={place}
            models={models}
            guess={guess}
            spends={spends}
            blocked={blocked}
            code={
              called && { ...called, mode: 'chat', body: chatCode({ ...options, model }, conversation?.messages ?? []) }
            }
          />
          <ConversationList place={place} isAnswering={isAnswering} />
        </>
      }
    />
  );
}

interface ChatHeadProps {
  place: Place;
  conversation: SavedConversation | undefined;
  isAnswering: boolean;
}

function ChatHead({ place: { draftKey }, conversation, isAnswering }: ChatHeadProps) {
  const whyNot = isAnswering ? STILL_ARRIVES : null;
  const clear = () => {
    if (conversation !== undefined) removeConversation(draftKey, conversation.id);
  };
  const startNew = () => {
    shownConversation.set(draftKey, null);
    announce(t`New conversation`);
  };
  const canChange = conversation !== undefined && whyNot === null;
  useCommands([
    canChange && { label: t`New conversation`, run: startNew },
    canChange && { label: t`Delete the conversation`, run: clear },
  ]);
  return (
    <>
      <div className={styles.head}>
        <h2>{t`Conversation`}</h2>
        {conversation && (
          <span className={styles.headActions}>
            <CopyButton text={() => conversationText(conversation)} label={t`Copy conversation`} size={26} />
            <ReasonButton size="xs" variant="subtle" whyNot={whyNot} onClick={clear}>{t`Delete`}</ReasonButton>
            <ReasonButton size="xs" variant="default" whyNot={whyNot} onClick={startNew}>{t`New`}</ReasonButton>
          </span>
        )}
      </div>
      {conversation && conversation.problem !== null && (
        <div className={styles.unkept}>
          <Unsaved
            problem={conversation.problem}
            onRetry={() => saveAgain(conversationRef(draftKey, conversation.id))}
          />
        </div>
      )}
    </>
  );
}

const conversationText = ({ messages }: Conversation): string =>
  messages.map(({ role, text }) => `${role === 'user' ? t`You` : t`Assistant`}:\n${text}`).join('\n\n');

interface TalkProps {
  place: Place;
  conversation: Conversation | undefined;
  /** What stands in an empty conversation. */
  empty: ReactNode;
  onAsk: (messages: ChatMessage[]) => void;
}

/** The messages. What arrives is followed until the person scrolls up. */
function Talk({ place, conversation, empty, onAsk }: TalkProps) {
  const answer = useArrivingAnswer(place.draftKey);
  const arriving = answer !== null && answer.conversationId === conversation?.id ? answer : null;
  const waitReason = useWaitReason(place, arriving?.firstAt === null ? arriving.sentAt : null);
  const { messages = [] } = conversation ?? {};
  const { following, props, toEnd } = useFollowTail<HTMLDivElement>(arriving ?? messages, true);
  const [frame] = useState(() => ({ scroller: null, fileName: 'answer', hasSave: true }));

  if (messages.length === 0) {
    return (
      <div className={styles.talk} data-empty role="log" aria-label={t`Messages`}>
        {empty}
      </div>
    );
  }
  return (
    <div className={styles.frame}>
      <div {...props} className={styles.talk} role="region" aria-label={t`Messages`} tabIndex={0}>
        <OutputFrameContext value={frame}>
          <ChatMessages
            messages={messages}
            arriving={arriving}
            waitReason={waitReason}
            place={place}
            onEdit={(index, text) => onAsk([...messages.slice(0, index), { role: 'user', text }])}
            onAgain={() => onAsk(messages.slice(0, messages.findLastIndex(({ role }) => role === 'user') + 1))}
          />
        </OutputFrameContext>
      </div>
      {!following && (
        <Button className={styles.follow} size="xs" leftSection={<ArrowDown size={13} aria-hidden />} onClick={toEnd}>
          {arriving ? t`Follow` : t`To the end`}
        </Button>
      )}
    </div>
  );
}

interface ChatInputProps extends Pick<ChatViewProps, 'targetName' | 'spends' | 'blocked'> {
  /** Stops the answer; null while none arrives. */
  onStop: (() => void) | null;
  onSend: (text: string) => void;
}

const MOST_CHARS = 200_000;

function ChatInput({ targetName, spends, blocked, onStop, onSend }: ChatInputProps) {
  const [text, setText] = useState('');
  const [isRefused, setRefused] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const send = () => {
    if (onStop !== null || text.trim() === '') return;
    if (blocked !== null) {
      setRefused(true);
      return;
    }
    onSend(text);
    setText('');
    setRefused(false);
  };
  useCommands([
    onStop === null &&
      text.trim() !== '' && {
        label: t`Send to ${targetName}`,
        keys: 'Mod+Enter',
        isMain: true,
        ...(spends && { description: t`Costs money` }),
        run: send,
      },
    onStop !== null && { label: t`Stop the answer`, keys: 'Mod+.', isMain: true, run: onStop },
  ]);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  // The button that loaded the models is gone, and with it the focus.
  useEffect(() => {
    if (blocked === null && document.activeElement === document.body) field.current?.focus({ preventScroll: true });
  }, [blocked]);
  return (
    <form
      className={styles.input}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        ref={field}
        aria-label={t`Message`}
        placeholder={t`Message. Enter sends it, Shift+Enter starts a new line.`}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={MOST_CHARS}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
          if (event.key !== 'Enter' || !isPlain || isOfInputMethod(event.nativeEvent)) return;
          event.preventDefault();
          send();
        }}
      />
      <div className={styles.inputFoot}>
        <p className={styles.note} data-wrong={isRefused || undefined} role={isRefused ? 'alert' : undefined}>
          {blocked ?? ''}
        </p>
        {onStop === null ? (
          <ReasonButton
            type="submit"
            leftSection={<SendHorizontal size={13} aria-hidden />}
            whyNot={blocked ?? (text.trim() === '' ? t`Enter a message first.` : null)}
            data-spends={spends || undefined}
          >
            {spends
              ? rich`Send to ${<NameInButton name={targetName} />} · costs money`
              : rich`Send to ${<NameInButton name={targetName} />}`}
          </ReasonButton>
        ) : (
          <Button
            variant="default"
            leftSection={<Square size={10} fill="currentColor" aria-hidden />}
            rightSection={<Kbd aria-hidden>{keyLabel('Mod+.')}</Kbd>}
            onClick={onStop}
          >{t`Stop`}</Button>
        )}
      </div>
    </form>
  );
}
