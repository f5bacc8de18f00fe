/** The commands of advice, each on a line of its own with what it is for and a button that copies it. */
import { CopyButton } from '../primitives/CopyButton.tsx';
import type { AdvisedStep } from '../text/commandsIn.ts';
import styles from './advisedCommands.module.css';
import { t } from '../../language/text.ts';

/** Renders nothing without steps. */
export function AdvisedCommands({ steps }: { steps: readonly AdvisedStep[] }) {
  if (steps.length === 0) return null;
  return (
    <ol className={styles.commands} aria-label={t`Commands`}>
      {steps.map(({ label, command }) => (
        <li key={command}>
          {label !== null && <p>{label}</p>}
          <div>
            <code>{command}</code>
            <CopyButton text={command} label={t`Copy command`} />
          </div>
        </li>
      ))}
    </ol>
  );
}
