/** A name that leads to the page of what it names. */
import type { ReactNode } from 'react';
import { Anchor } from '@mantine/core';
import { formatRoute, type Route } from '../../state/routePath.ts';
import { targetAccount } from '../../state/selection.ts';

interface RouteLinkProps {
  /** The account whose thing it is: pages of one account show that account then. */
  accountId: string;
  to: Route;
  /** Called when it is followed, such as to close the sheet that it is in. */
  onFollow?: (() => void) | undefined;
  children: ReactNode;
}

export function RouteLink({ accountId, to, onFollow, children }: RouteLinkProps) {
  const follow = () => {
    targetAccount.set(accountId);
    onFollow?.();
  };
  return (
    <Anchor fz="inherit" underline="always" href={formatRoute(to)} onClick={follow}>
      {children}
    </Anchor>
  );
}
