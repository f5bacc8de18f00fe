/** How Hangar looks, and the service that it runs on this computer. */
import { SegmentedControl, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEngine } from '../../client/engine.ts';
import { orpc } from '../../client/transport/orpc.ts';
import {
  chooseContrast,
  chooseTheme,
  isHighContrast,
  themeChoices,
  useAppearance,
  type ThemeChoice,
} from '../../state/appearance.ts';
import { Fact, Facts } from '../../ui/primitives/DescriptionList.tsx';
import { Id } from '../../ui/primitives/Id.tsx';
import { RestartButton } from '../../ui/domain/RestartButton.tsx';
import styles from './settings.module.css';

const labels: Record<ThemeChoice, string> = { system: 'As the system', light: 'Light', dark: 'Dark' };
const hosts = { electron: 'in its own window', headless: 'in a browser' } as const;

export function GeneralTab() {
  return (
    <div className={styles.body}>
      <Appearance />
      <Service />
    </div>
  );
}

function Appearance() {
  const theme = useAppearance((state) => state.theme);
  const highContrast = useAppearance(isHighContrast);
  return (
    <section className={styles.block} aria-labelledby="appearance">
      <h2 id="appearance">Appearance</h2>
      <Facts>
        <Fact name="Theme">
          <SegmentedControl
            aria-label="Theme"
            data={themeChoices.map((value) => ({ value, label: labels[value] }))}
            value={theme}
            onChange={(value) => chooseTheme(themeChoices.find((known) => known === value) ?? 'system')}
          />
        </Fact>
        <Fact name="Contrast">
          <Switch
            size="xs"
            label="High contrast"
            checked={highContrast}
            onChange={(event) => chooseContrast(event.currentTarget.checked)}
          />
        </Fact>
      </Facts>
    </section>
  );
}

function Service() {
  const engine = useEngine((state) => state.status);
  const { data } = useQuery(orpc.host.info.queryOptions({ staleTime: Infinity }));
  return (
    <section className={styles.block} aria-labelledby="service">
      <h2 id="service">The service on this computer</h2>
      <p>
        Programs reach it at its address with an API key. It listens on this computer alone, unless it was started with
        another address.
      </p>
      <Facts>
        <Fact name="Address">{engine?.address ? <Id text={engine.address} what="address" /> : 'not known now'}</Fact>
        <Fact name="State">
          {engine === null ? 'not known now' : engine.state}
          {engine !== null && engine.restarts > 0 && `, started again ${engine.restarts} times`}
        </Fact>
        {engine?.reason && <Fact name="Reason">{engine.reason}</Fact>}
        <Fact name="Hangar">{data && `${data.version}, ${hosts[data.kind]}`}</Fact>
      </Facts>
      <div className={styles.actions}>
        <RestartButton />
      </div>
    </section>
  );
}
