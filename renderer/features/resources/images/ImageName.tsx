/** The name of an image in its row; below it what uses it, where the table has no room for that column. */
import { shownName, type ImageRow } from '../imageUse.ts';
import { UsedBy } from '../UsedBy.tsx';
import styles from './imageName.module.css';
import { rich, t } from '../../../language/text.ts';

interface ImageNameProps {
  accountId: string;
  row: ImageRow;
  /** More uses, in words. */
  others: readonly string[];
}

export function ImageName({ accountId, row, others }: ImageNameProps) {
  const { usedBy } = row;
  const isUsed = usedBy.length + others.length > 0;
  return (
    <span className={styles.name}>
      {shownName(row)}
      <small>
        {isUsed ? rich`Used by ${<UsedBy accountId={accountId} usedBy={usedBy} others={others} />}` : t`Not used`}
      </small>
    </span>
  );
}
