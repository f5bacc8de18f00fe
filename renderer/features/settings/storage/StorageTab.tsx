/** The retention of the ledger, the places of all data, and work on all of it. */
import { LedgerBlock } from '../ledger/LedgerBlock.tsx';
import styles from '../settings.module.css';
import { DataBlock } from './DataBlock.tsx';
import { PlacesBlock } from './PlacesBlock.tsx';

export function StorageTab() {
  return (
    <div className={styles.body}>
      <LedgerBlock />
      <PlacesBlock />
      <DataBlock />
    </div>
  );
}
