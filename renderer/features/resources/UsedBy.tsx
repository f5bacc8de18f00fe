/** The uses of a resource by their names, which lead to their pages. */
import { Fragment } from 'react';
import type { ResourceUse } from '#contract/bridge/resource.ts';
import type { Route } from '../../state/routePath.ts';
import { RouteLink } from '../../ui/primitives/RouteLink.tsx';
import styles from '../../ui/theme/resources.module.css';
import { rich, t } from '../../language/text.ts';

const textsOf: Record<ResourceUse['kind'], (name: string) => string> = {
  endpoint: (name) => t`endpoint ${name}`,
  pod: (name) => t`Pod ${name}`,
  template: (name) => t`template ${name}`,
};

const routesOf: Record<ResourceUse['kind'], (id: string) => Route> = {
  endpoint: (endpointId) => ({ page: 'endpoints', endpointId, tab: 'overview' }),
  pod: (podId) => ({ page: 'pods', podId, tab: 'overview' }),
  template: () => ({ page: 'resources', tab: 'templates', volumeId: null, path: '' }),
};

export const textOfUse = ({ kind, name }: ResourceUse): string => textsOf[kind](name);

const SHOWN = 2;

interface UsedByProps {
  accountId: string;
  usedBy: readonly ResourceUse[];
  /** More uses, in words, that have no page. */
  others?: readonly string[];
}

export function UsedBy({ accountId, usedBy, others = [] }: UsedByProps) {
  const count = usedBy.length + others.length;
  if (count === 0) return <span className={styles.faint}>{t`nothing`}</span>;
  const links = [
    ...usedBy.map((use) => (
      <RouteLink accountId={accountId} to={routesOf[use.kind](use.id)}>
        {textOfUse(use)}
      </RouteLink>
    )),
    ...others.map((other) => <span>{other}</span>),
  ].slice(0, SHOWN);
  const shown = links.map((link, place) => (
    <Fragment key={place}>
      {place > 0 && ', '}
      {link}
    </Fragment>
  ));
  const rest = count - SHOWN;
  return (
    <span className={styles.uses} title={[...usedBy.map(textOfUse), ...others].join(', ')}>
      {rest > 0 ? rich`${<>{shown}</>} and ${rest} more` : shown}
    </span>
  );
}
