/** One line of a log: time, source, level, text. */
import type { Ref } from 'react';
import { CircleX, Cog, TriangleAlert } from 'lucide-react';
import type { LogLine } from '#contract/local/log.ts';
import styles from './log.module.css';
import { FrameText } from '../endpoint/FrameText.tsx';
import type { HandlerCode } from '../endpoint/handlerCode.ts';
import { splitAtMatches } from './logLines.ts';
import { t } from '../../language/text.ts';
import { formatFullStamp, formatStamp } from '../text/format.ts';

interface LogRowProps {
  ref: Ref<HTMLDivElement>;
  index: number;
  line: LogLine;
  /** It is no output, but says where a run begins. */
  isMark: boolean;
  search: string;
  start: number;
  /** Shown in place of the worker; null: no source is shown. */
  who: string | null;
  hasTime: boolean;
  /** The handler that wrote the line; null where its code is not on this computer. */
  code: HandlerCode | null;
}

export function LogRow({ ref, index, line, isMark, search, start, who, hasTime, code }: LogRowProps) {
  if (isMark) {
    return (
      <div
        ref={ref}
        data-index={index}
        className={`${styles.line} ${styles.run}`}
        style={{ transform: `translateY(${start}px)` }}
        title={formatFullStamp(Date.parse(line.at))}
      >
        <span>{line.text}</span>
      </div>
    );
  }
  return (
    <div
      ref={ref}
      data-index={index}
      data-level={line.level ?? undefined}
      data-stream={line.stream}
      className={styles.line}
      style={{ transform: `translateY(${start}px)` }}
    >
      {hasTime && (
        <time dateTime={line.at} title={formatFullStamp(Date.parse(line.at))}>
          {formatStamp(Date.parse(line.at))}
        </time>
      )}
      {who !== null && (
        <span
          className={styles.who}
          title={line.jobId === null ? line.workerId : t`${line.workerId}, job ${line.jobId}`}
        >
          {who}
        </span>
      )}
      <span className={styles.mark}>
        <Mark line={line} />
      </span>
      <span className={styles.words}>
        <FrameText
          text={line.text}
          code={code}
          shown={(text) =>
            splitAtMatches(text, search).map((piece, at) => (at % 2 === 1 ? <mark key={at}>{piece}</mark> : piece))
          }
        />
      </span>
    </div>
  );
}

/** Severe lines and lines of the engine have a shape as well as a colour. */
function Mark({ line }: { line: LogLine }) {
  if (line.level === 'error') return <CircleX size={12} aria-label={t`error`} role="img" />;
  if (line.level === 'warn') return <TriangleAlert size={12} aria-label={t`warning`} role="img" />;
  if (line.stream === 'engine') return <Cog size={12} aria-label={t`engine`} role="img" />;
  return null;
}
