/** The retention of the ledger, what was saved in the window, the places of all data, and work on all of it. */
import { LedgerBlock } from '../ledger/LedgerBlock.tsx';
import styles from '../settings.module.css';
import { DataBlock } from './DataBlock.tsx';
import { PlacesBlock } from './PlacesBlock.tsx';
import { SavedBlock } from './SavedBlock.tsx';

export function StorageTab() {
  return (
    <div className={styles.body}>
      <LedgerBlock />
      <SavedBlock />
      <PlacesBlock />
      <DataBlock />
    </div>
  );
}
