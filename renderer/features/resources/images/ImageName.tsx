/** The name of an image in its row; below it what uses it, where the table has no room for that column. */
import type { ImageRow } from '../imageUse.ts';
import { UsedBy } from '../UsedBy.tsx';
import styles from './imageName.module.css';
import { rich, t } from '../../../language/text.ts';

interface ImageNameProps {
  accountId: string;
  row: Pick<ImageRow, 'name' | 'usedBy'>;
  /** More uses, in words. */
  others: readonly string[];
}

export function ImageName({ accountId, row: { name, usedBy }, others }: ImageNameProps) {
  const isUsed = usedBy.length + others.length > 0;
  return (
    <span className={styles.name}>
      {name}
      <small>
        {isUsed ? rich`Used by ${<UsedBy accountId={accountId} usedBy={usedBy} others={others} />}` : t`Not used`}
      </small>
    </span>
  );
}
