/** What a job is about, with its short id; the whole id where nothing of it is known. */
import { Id } from '../../../ui/primitives/Id.tsx';
import { shortId } from '../../../ui/domain/jobText.ts';
import styles from './queue.module.css';
import { t } from '../../../language/text.ts';

export function JobName({ id, preview }: { id: string; preview: string | null }) {
  if (preview === null) return <Id text={id} copyLabel={t`Copy job id`} />;
  return (
    <span className={styles.name}>
      <span title={preview}>{preview}</span>
      <code title={id}>{shortId(id)}</code>
    </span>
  );
}
