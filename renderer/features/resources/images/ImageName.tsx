/** The name of an image in its row; below it what uses it, where the table has no room for that column. */
import styles from './imageName.module.css';
import { t } from '../../../language/text.ts';

/** `uses`: in words, empty for none. */
export function ImageName({ name, uses }: { name: string; uses: string }) {
  return (
    <span className={styles.name}>
      {name}
      <small>{uses === '' ? t`Not used` : t`Used by ${uses}`}</small>
    </span>
  );
}
