/** A name that is cut in its middle where it is too long: its end, such as an extension or a number, stays visible. */
import styles from './middleCut.module.css';

/** So many characters at the end are never cut. */
const TAIL = 9;
/** An extension of up to so many characters is never cut either, such as ".safetensors". */
const EXTENSION = 14;
/** A shorter name has nothing in its middle that could be left out. */
const LEAST = 20;

/** `title`: the tooltip, if it says more than the name. */
export function MiddleCut({ text, title = text }: { text: string; title?: string }) {
  const letters = Array.from(text);
  const extension = letters.length - letters.lastIndexOf('.');
  const tail = extension > TAIL && extension <= EXTENSION ? extension : TAIL;
  if (letters.length < LEAST) {
    return (
      <span className={styles.short} title={title}>
        {text}
      </span>
    );
  }
  return (
    <span className={styles.cut} title={title}>
      <span className={styles.whole}>{text}</span>
      <span aria-hidden className={styles.head}>
        {letters.slice(0, -tail).join('')}
      </span>
      <span aria-hidden className={styles.tail}>
        {letters.slice(-tail).join('')}
      </span>
    </span>
  );
}
