/** The three ways to begin, while nothing was sent yet and there is no other account. */
import { CircleDollarSign, CircleUser, Play, type LucideIcon } from 'lucide-react';
import { showNewAccount } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import type { Route } from '../../state/routePath.ts';
import page from '../../ui/theme/page.module.css';
import styles from './home.module.css';

const ways: readonly { title: string; text: string; icon: LucideIcon; route: Route; then?: () => void }[] = [
  {
    title: 'Run a sample here',
    text: 'No account, no network: a job on this computer in seconds',
    icon: Play,
    route: { page: 'run', endpointId: null },
  },
  {
    title: 'Add an account',
    text: 'A cloud, or an engine on another machine, beside this computer',
    icon: CircleUser,
    route: { page: 'accounts', accountId: null },
    then: () => showNewAccount(true),
  },
  {
    title: 'Browse GPU prices',
    text: 'What an hour of each GPU costs, and what is free',
    icon: CircleDollarSign,
    route: { page: 'gpus' },
  },
];

export function Begin() {
  return (
    <section className={styles.begin} aria-label="Begin">
      <div className={page.begin}>
        <strong>Nothing was sent from here yet</strong>
        <p>Begin with one of these. Nothing leaves this computer until you choose another target.</p>
        <div className={page.ways}>
          {ways.map(({ title, text, icon: Icon, route, then }) => (
            <button
              key={title}
              type="button"
              className={page.way}
              onClick={() => {
                navigate(route);
                then?.();
              }}
            >
              <Icon size={20} strokeWidth={1.6} aria-hidden />
              <b>{title}</b>
              <span>{text}</span>
            </button>
          ))}
        </div>
      </div>
    </section>
  );
}
