/** An id, address or path: monospaced, shortened if there is no space, with a copy button on hover and focus. */
import { CopyButton } from './CopyButton.tsx';
import styles from '../theme/pieces.module.css';

interface IdProps {
  text: string;
  /** A shorter form to show, such as the beginning and the end. The whole text is copied, and shown on hover. */
  shown?: string;
  /** The label of the button: "Copy job id". */
  copyLabel: string;
  /** Whether the button is always seen, because copying is what a person does next. */
  showsCopy?: boolean;
  /** Whether its end stays visible where there is no space, as of a path among others in one folder. */
  keepsEnd?: boolean;
}

export function Id({ text, shown = text, copyLabel, showsCopy = false, keepsEnd = false }: IdProps) {
  return (
    <span className={styles.id}>
      <span className={styles.idText} data-keeps-end={keepsEnd || undefined} title={text}>
        <bdi>{shown}</bdi>
      </span>
      <span className={styles.idCopy} data-shown={showsCopy || undefined}>
        <CopyButton text={text} label={copyLabel} />
      </span>
    </span>
  );
}
