/**
 * The name of a target or of another thing in the text of a button. Without room, the name is cut and not the price
 * behind it, and the button never gets wider than its page.
 */
import styles from '../theme/pieces.module.css';

export function NameInButton({ name }: { name: string }) {
  return (
    <span className={styles.nameInButton} title={name}>
      {name}
    </span>
  );
}
