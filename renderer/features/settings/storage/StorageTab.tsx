/** The retention of the ledger, what was saved in the window, the places of all data, and work on all of it. */
import { useLastKnownAt } from '../../../client/away.ts';
import { AsOf } from '../../../ui/domain/StaleNotice.tsx';
import pieces from '../../../ui/theme/pieces.module.css';
import { LedgerBlock } from '../ledger/LedgerBlock.tsx';
import styles from '../settings.module.css';
import { DataBlock } from './DataBlock.tsx';
import { PlacesBlock } from './PlacesBlock.tsx';
import { SavedBlock } from './SavedBlock.tsx';

export function StorageTab() {
  const lastKnownAt = useLastKnownAt('app');
  return (
    <>
      {lastKnownAt !== null && <AsOf at={lastKnownAt} />}
      <div className={`${styles.body} ${pieces.inOrder} ${lastKnownAt === null ? '' : pieces.lastKnown}`}>
        <LedgerBlock />
        <SavedBlock />
        <PlacesBlock />
        <DataBlock />
      </div>
    </>
  );
}
