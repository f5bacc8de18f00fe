/** A text as wide as it is in bold: what stands beside it does not move when it becomes bold. */
import styles from './boldWidth.module.css';

export const BoldWidth = ({ children }: { children: string }) => (
  <span className={styles.text} data-text={children}>
    {children}
  </span>
);
