/** Changed settings as old and new. */
import styles from './changes.module.css';

export interface ChangeText {
  setting: string;
  before: string;
  after: string;
}

export function Changes({ list }: { list: readonly ChangeText[] }) {
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">Old</th>
          <th scope="col">New</th>
        </tr>
      </thead>
      <tbody>
        {list.map(({ setting, before, after }) => (
          <tr key={setting}>
            <th scope="row">{setting}</th>
            <td>
              <del>{before}</del>
            </td>
            <td>
              <ins>{after}</ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export const countText = (count: number): string =>
  count === 0 ? 'No changes' : `${count} ${count === 1 ? 'change' : 'changes'}`;
