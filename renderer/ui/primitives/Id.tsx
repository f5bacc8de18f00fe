/** An id or address: monospaced, shortened if there is no space, with a copy button on hover and focus. */
import { CopyButton } from './CopyButton.tsx';
import styles from '../theme/pieces.module.css';

export function Id({ text, what }: { text: string; what: string }) {
  return (
    <span className={styles.id}>
      <span className={styles.idText} title={text}>
        {text}
      </span>
      <span className={styles.idCopy}>
        <CopyButton text={text} what={what} />
      </span>
    </span>
  );
}
