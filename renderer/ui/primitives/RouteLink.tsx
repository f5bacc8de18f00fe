/** A name that leads to the page of what it names. */
import type { ReactNode } from 'react';
import { Anchor } from '@mantine/core';
import { formatRoute, type Route } from '../../state/routePath.ts';
import { targetAccount } from '../../state/selection.ts';

interface RouteLinkProps {
  /** The account whose thing it is: pages of one account show that account then. */
  accountId: string;
  to: Route;
  children: ReactNode;
}

export const RouteLink = ({ accountId, to, children }: RouteLinkProps) => (
  <Anchor fz="inherit" underline="always" href={formatRoute(to)} onClick={() => targetAccount.set(accountId)}>
    {children}
  </Anchor>
);
