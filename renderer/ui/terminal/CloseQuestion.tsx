/** Asks before terminals are closed in which something runs, or of which that is not known. */
import { ConfirmDialog } from '../primitives/ConfirmDialog.tsx';
import { counted, t } from '../../language/text.ts';
import styles from './terminal.module.css';
import type { Closing } from './useTerminalPanes.ts';

/** As many programs are named, and so many characters of each command line. */
const MOST_SHOWN = 5;
const LONGEST = 120;

interface CloseQuestionProps {
  /** Null while nothing is asked. */
  closing: Closing | null;
  onAnswered: (isWanted: boolean) => void;
}

export function CloseQuestion({ closing, onAnswered }: CloseQuestionProps) {
  return (
    <ConfirmDialog
      opened={closing !== null}
      onClose={() => onAnswered(false)}
      title={t`Close ${closing?.title ?? ''}?`}
      action={t`End and close`}
      busy={false}
      problem={null}
      onConfirm={() => onAnswered(true)}
    >
      {closing !== null && <WhatEnds {...closing} />}
    </ConfirmDialog>
  );
}

function WhatEnds({ panes, programs, unknownCount }: Closing) {
  const more = programs.length - MOST_SHOWN;
  return (
    <div className={styles.programs}>
      {programs.length > 0 && (
        <>
          <p>
            {counted(
              programs.length,
              '{0} program still runs there and ends, too:',
              '{0} programs still run there and end, too:',
            )}
          </p>
          <ul>
            {programs.slice(0, MOST_SHOWN).map((program, index) => (
              <li key={index}>
                <code>{program.length > LONGEST ? `${program.slice(0, LONGEST)}…` : program}</code>
              </li>
            ))}
            {more > 0 && <li>{counted(more, 'and {0} more', 'and {0} more')}</li>}
          </ul>
        </>
      )}
      {unknownCount > 0 && (
        <p>
          {panes.length === 1
            ? t`Hangar cannot see what runs there. That ends, too.`
            : counted(
                unknownCount,
                'Hangar cannot see what runs in {0} of the terminals. That ends, too.',
                'Hangar cannot see what runs in {0} of the terminals. That ends, too.',
              )}
        </p>
      )}
    </div>
  );
}
