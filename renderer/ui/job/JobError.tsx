/** Why a job failed: the worker's own words first, the rest below them. */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { formatRoute } from '../../state/routePath.ts';
import { FrameText } from '../endpoint/FrameText.tsx';
import { OpenCodeButton } from '../endpoint/OpenCodeButton.tsx';
import { useHandlerCodes } from '../endpoint/useHandlerCodes.ts';
import { CopyButton } from '../primitives/CopyButton.tsx';
import { withFieldLabels } from '../text/fieldLabels.ts';
import { formatCount } from '../text/format.ts';
import styles from './job.module.css';
import { readError } from '#contract/api/readError.ts';
import { counted, rich, t } from '../../language/text.ts';

interface JobErrorProps {
  entry: LedgerEntry;
  error: string;
  /** Whether the rest, such as the traceback, is not folded at first. */
  isUnfolded: boolean;
}

export function JobError({ entry, error, isUnfolded }: JobErrorProps) {
  const { headline, detail } = readError(error);
  const code = useHandlerCodes(entry.accountId)(entry.endpointId);
  const after = entry.status === 'FAILED' && entry.chunkCount > 0 ? t`after ${chunkWords(entry.chunkCount)}` : null;
  return (
    <div
      className={styles.error}
      role="group"
      aria-label={t`Job error`}
      data-quiet={entry.status === 'GONE' || entry.status === 'UNANSWERED' || undefined}
    >
      <div className={styles.errorHead}>
        <strong>{withFieldLabels(headline)}</strong>
        {after !== null && <span>{after}</span>}
        {entry.status === 'FAILED' && code !== null && code.file !== null && (
          <OpenCodeButton code={code} trace={detail ?? ''} className={styles.openCode} />
        )}
        <div className={styles.errorCopy}>
          <CopyButton text={error} label={t`Copy error`} />
        </div>
      </div>
      {MISSING_MODULE.test(headline) && code !== null && <AddPackage endpointId={entry.endpointId} />}
      {detail !== null && (
        <details open={isUnfolded}>
          <summary>{t`Details`}</summary>
          <pre tabIndex={0}>
            <FrameText text={detail} code={code} />
          </pre>
        </details>
      )}
    </div>
  );
}

const MISSING_MODULE = /^ModuleNotFoundError: No module named /;

/** What to do about an import that fails: the page of the endpoint installs packages. */
function AddPackage({ endpointId }: { endpointId: string }) {
  const href = formatRoute({ page: 'endpoints', endpointId, tab: 'overview' });
  return (
    <p>
      {rich`Add its package to the requirements of the folder, such as requirements.txt, and install it on ${<a href={href}>{t`the page of the endpoint`}</a>}.`}
    </p>
  );
}

const chunkWords = (count: number): string => counted(count, '1 chunk', '{0} chunks', formatCount(count));
