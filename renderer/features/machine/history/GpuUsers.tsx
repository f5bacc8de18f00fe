/** Who used a GPU: at the point under the pointer, else in the whole period. */
import { Fragment } from 'react';
import type { GpuPoint } from '#contract/local/gpuHistory.ts';
import { RouteLink } from '../../../ui/primitives/RouteLink.tsx';
import { measuredFacts } from './charts.ts';
import styles from './history.module.css';
import { t } from '../../../language/text.ts';

type User = GpuPoint['users'][number] & { ms?: number };

interface UserListProps {
  accountId: string;
  users: readonly User[];
}

interface GpuUsersProps extends UserListProps {
  /** The time in which they used it, as the begin of the list. */
  when: string;
}

/** Own workers and Pods apart from other programs, and from Pods that keep the GPU without running. */
export function GpuUsers({ accountId, when, users }: GpuUsersProps) {
  const keepers = users.filter(({ isKept }) => isKept === true);
  return (
    <div className={styles.users}>
      <p>{when}</p>
      <dl>
        <dt>{t`by Hangar`}</dt>
        <dd>
          <UserList
            accountId={accountId}
            users={users.filter(({ kind, isKept }) => kind !== 'program' && isKept !== true)}
          />
        </dd>
        {keepers.length > 0 && (
          <>
            <dt>{t`kept, not used, by`}</dt>
            <dd>
              <UserList accountId={accountId} users={keepers} />
            </dd>
          </>
        )}
        <dt>{t`by other programs`}</dt>
        <dd>
          <UserList accountId={accountId} users={users.filter(({ kind }) => kind === 'program')} />
        </dd>
      </dl>
    </div>
  );
}

function UserList({ accountId, users }: UserListProps) {
  if (users.length === 0) return t`nobody`;
  return users.map((user, place) => (
    <Fragment key={`${user.kind} ${user.id}`}>
      {place > 0 && ' '}
      <span>
        <UserName accountId={accountId} user={user} />
        {measuredFacts(user)}
        {place < users.length - 1 && ','}
      </span>
    </Fragment>
  ));
}

/** A deleted endpoint or Pod keeps its name in the history; its page says that it is gone. */
function UserName({ accountId, user: { kind, id, name } }: { accountId: string; user: User }) {
  if (kind === 'program') return name;
  return (
    <RouteLink
      accountId={accountId}
      to={
        kind === 'pod'
          ? { page: 'pods', podId: id, tab: 'overview' }
          : { page: 'endpoints', endpointId: id, tab: 'overview' }
      }
    >
      {kind === 'pod' ? t`Pod ${name}` : name}
    </RouteLink>
  );
}
