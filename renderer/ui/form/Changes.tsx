/** Changed settings as old and new. */
import { PlainTable } from '../primitives/PlainTable.tsx';
import styles from './changes.module.css';
import { counted, t } from '../../language/text.ts';

export interface ChangeText {
  setting: string;
  before: string;
  after: string;
}

export function Changes({ list }: { list: readonly ChangeText[] }) {
  return (
    <PlainTable
      className={styles.changes}
      rows={list}
      keyOf={({ setting }) => setting}
      columns={[
        { title: t`Setting`, isHeader: true, cell: ({ setting }) => setting },
        { title: t`Old`, cell: ({ before }) => <del>{before}</del> },
        { title: t`New`, cell: ({ after }) => <ins>{after}</ins> },
      ]}
    />
  );
}

export const countText = (count: number): string =>
  count === 0 ? t`No changes` : counted(count, '{0} change', '{0} changes');
