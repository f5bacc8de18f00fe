/** The appearance of Hangar, and its service on this computer. */
import { useState } from 'react';
import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { EngineStatus } from '#contract/app/account.ts';
import { useAway } from '../../client/away.ts';
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
import { BrowserNotices } from './BrowserNotices.tsx';
import { NumberField } from './NumberField.tsx';
import { fontSizes, scrollbacks, terminalStyle } from '../../state/terminalStyle.ts';
import { RestartButton } from '../../ui/domain/RestartButton.tsx';
import { UpdatesBlock } from './UpdatesBlock.tsx';
import styles from './settings.module.css';
import { joinFacts } from '../../language/sentences.ts';
import { Segments } from '../../ui/tabs/Segments.tsx';
import { counted, t } from '../../language/text.ts';

const labels: Record<ThemeChoice, string> = { system: t`Match system`, light: t`Light`, dark: t`Dark` };
const hosts = { electron: t`in its own window`, headless: t`in a browser` } as const;

export function GeneralTab() {
  return (
    <div className={styles.body}>
      <Appearance />
      <Terminals />
      {window.hangarHost === undefined && <BrowserNotices />}
      <Service />
      <UpdatesBlock />
    </div>
  );
}

function Appearance() {
  const theme = useAppearance((state) => state.theme);
  const highContrast = useAppearance(isHighContrast);
  return (
    <section className={styles.block} aria-labelledby="appearance">
      <h2 id="appearance">{t`Appearance`}</h2>
      <Facts>
        <Fact name={t`Theme`} isControl>
          <Segments
            aria-label={t`Theme`}
            data={themeChoices.map((value) => ({ value, label: labels[value] }))}
            value={theme}
            onChange={(value) => chooseTheme(themeChoices.find((known) => known === value) ?? 'system')}
          />
        </Fact>
        <Fact name={t`Contrast`} isControl>
          <Switch
            label={t`High contrast`}
            checked={highContrast}
            onChange={(event) => chooseContrast(event.currentTarget.checked)}
          />
        </Fact>
      </Facts>
    </section>
  );
}

function Terminals() {
  const style = terminalStyle.use();
  return (
    <section className={styles.block} aria-labelledby="terminals">
      <h2 id="terminals">{t`Terminals`}</h2>
      <div className={styles.fields}>
        <BoundedNumber
          label={t`Font size`}
          unit={t`pixels`}
          bounds={fontSizes}
          value={style.fontSize}
          onChange={(fontSize) => terminalStyle.set({ ...style, fontSize })}
        />
        <BoundedNumber
          label={t`Scrollback`}
          unit={t`lines`}
          bounds={scrollbacks}
          value={style.scrollback}
          onChange={(scrollback) => terminalStyle.set({ ...style, scrollback })}
        />
      </div>
    </section>
  );
}

interface BoundedNumberProps {
  label: string;
  unit: string;
  bounds: { least: number; usual: number; most: number };
  value: number;
  onChange: (value: number) => void;
}

function BoundedNumber({ label, unit, bounds: { least, usual, most }, value, onChange }: BoundedNumberProps) {
  const [error, setError] = useState<string | null>(null);
  return (
    <NumberField
      label={label}
      unit={unit}
      value={value}
      usual={usual}
      error={error}
      onChange={(next) => {
        const isPossible = next !== null && Number.isInteger(next) && next >= least && next <= most;
        setError(isPossible ? null : t`A whole number from ${least} to ${most}.`);
        if (isPossible) onChange(next);
      }}
    />
  );
}

const engineStates: Record<EngineStatus['state'], string> = {
  ready: t`ready`,
  starting: t`starting`,
  restarting: t`restarting`,
  stopped: t`stopped`,
  failed: t`failed`,
};

function Service() {
  const engine = useEngine((state) => state.status);
  const { data } = useQuery(orpc.host.info.queryOptions({ staleTime: Infinity }));
  // What was heard of the engine last says nothing about now.
  const isAway = useAway('app') !== null;
  return (
    <section className={styles.block} aria-labelledby="service">
      <h2 id="service">{t`Engine`}</h2>
      <p>{t`Programs use its address and an API key. It listens only on this computer unless it was started with another address.`}</p>
      <Facts>
        <Fact name={t`Address`}>
          {engine?.address ? <Id text={engine.address} copyLabel={t`Copy address`} /> : t`unknown`}
        </Fact>
        <Fact name={t`State`}>
          {engine === null || isAway
            ? t`unknown`
            : joinFacts(
                engineStates[engine.state],
                engine.restarts > 0 && counted(engine.restarts, 'started again once', 'started again {0} times'),
              )}
        </Fact>
        {engine?.reason && <Fact name={t`Reason`}>{engine.reason}</Fact>}
        <Fact name={t`Hangar`}>{data ? `${data.version}, ${hosts[data.kind]}` : '–'}</Fact>
      </Facts>
      <div className={styles.actions}>
        <RestartButton />
      </div>
    </section>
  );
}
