/** A file of an output: what it is, how large, and Save. It is never opened by the page. */
import { FileDown } from 'lucide-react';
import { saveFile } from '../../files/saveFile.ts';
import { formatBytes } from '../../text/format.ts';
import { useOutputFrame } from '../frame.ts';
import { savedName, type Media } from '../media.ts';
import type { MediaBytes } from '../useMediaBytes.ts';
import styles from './media.module.css';
import { ReasonButton } from '../../popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

interface FileCardProps {
  media: Media;
  loaded: MediaBytes | null;
  problem: string | null;
  /** What the output calls it; may be empty. */
  label?: string;
  /** Counts from 1 where there are several. */
  number?: number | null;
}

export function FileCard({ media, loaded, problem, label = '', number = null }: FileCardProps) {
  const { fileName, hasSave } = useOutputFrame();
  const type = loaded?.type ?? media.type;
  const size = loaded?.bytes.size ?? media.sizeBytes;
  const name = savedName(media, type, fileName, number);
  return (
    <div className={styles.card}>
      <FileDown size={16} aria-hidden />
      <span className={`${styles.cardText} ${styles.fileText}`}>
        <strong>{label || name}</strong>
        <span>
          {type.name}
          {size !== null && ` · ${formatBytes(size)}`}
        </span>
        {problem !== null && <span className={styles.problem}>{problem}</span>}
      </span>
      {hasSave && (
        <ReasonButton
          size="xs"
          variant="default"
          whyNot={loaded === null ? (problem ?? t`The file is being read.`) : null}
          onClick={() => loaded && saveFile(loaded.bytes, name)}
        >{t`Save`}</ReasonButton>
      )}
    </div>
  );
}
