/** Changed settings as old and new. */
import { PlainTable } from '../primitives/PlainTable.tsx';
import styles from './changes.module.css';

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
        { title: 'Setting', isHeader: true, cell: ({ setting }) => setting },
        { title: 'Old', cell: ({ before }) => <del>{before}</del> },
        { title: 'New', cell: ({ after }) => <ins>{after}</ins> },
      ]}
    />
  );
}

export const countText = (count: number): string =>
  count === 0 ? 'No changes' : `${count} ${count === 1 ? 'change' : 'changes'}`;
