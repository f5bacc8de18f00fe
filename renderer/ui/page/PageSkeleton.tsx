/** A page whose code is not loaded yet: its heading, and a place as large as what comes. */
import pageStyles from '../theme/page.module.css';
import { PageTitle } from './PageTitle.tsx';
import styles from './pageSkeleton.module.css';
import { t } from '../../language/text.ts';

export const PageSkeleton = () => (
  <div className={pageStyles.page} role="group" aria-busy="true" aria-label={t`Loading`}>
    <header className={pageStyles.pageHead}>
      <PageTitle />
    </header>
    <div className={styles.body} aria-hidden />
  </div>
);
