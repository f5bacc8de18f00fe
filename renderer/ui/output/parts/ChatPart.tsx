/** The answer of a language model as conversation. */
import type { ChatMessage } from '../chatText.ts';
import type { PartProps } from '../partProps.ts';
import { formatCount } from '../../text/format.ts';
import { Markdown } from './MarkdownPart.tsx';
import styles from './text.module.css';
import { t } from '../../../language/text.ts';

const roleLabels: Readonly<Record<string, string>> = { assistant: t`Assistant`, user: t`You`, system: t`System` };
const finishLabels: Readonly<Record<string, string>> = {
  length: t`cut off: it reached the maximum length`,
  content_filter: t`cut off by the content filter`,
};

export default function ChatPart({ part: { chat } }: PartProps<'chat'>) {
  const { input, output } = chat.tokens;
  const facts = [
    chat.model,
    input === null ? null : t`${formatCount(input)} tokens in`,
    output === null ? null : t`${formatCount(output)} tokens out`,
  ].filter((fact) => fact !== null);
  return (
    <div>
      {chat.messages.map((message, index) => (
        <Message key={index} message={message} number={chat.messages.length > 1 ? index + 1 : null} />
      ))}
      {facts.length > 0 && <p className={styles.facts}>{facts.join(' · ')}</p>}
    </div>
  );
}

function Message({ message, number }: { message: ChatMessage; number: number | null }) {
  const { role, text, reasoning, toolCalls, finish } = message;
  const cutOff = finishLabels[finish ?? ''];
  return (
    <article className={styles.message} aria-label={roleLabels[role] ?? role}>
      <p className={styles.role}>
        {roleLabels[role] ?? role}
        {number !== null && ` ${number}`}
      </p>
      {reasoning !== null && reasoning !== '' && (
        <details className={styles.reasoning}>
          <summary>{t`Reasoning`}</summary>
          <div>{reasoning}</div>
        </details>
      )}
      {text !== '' && <Markdown text={text} />}
      {toolCalls.map((call, index) => (
        <div key={index} className={styles.code}>
          <pre tabIndex={0} role="region" aria-label={t`Call of ${call.name}`}>
            <code>
              {call.name}({call.args})
            </code>
          </pre>
        </div>
      ))}
      {cutOff !== undefined && <p className={styles.facts}>{cutOff}</p>}
    </article>
  );
}
