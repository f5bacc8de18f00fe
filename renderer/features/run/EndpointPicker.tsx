/** Chooses the endpoint; one that cannot run is shown with its reason. */
import { Combobox, ScrollArea, UnstyledButton, useCombobox } from '@mantine/core';
import { ChevronDown, TriangleAlert } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import { MiddleCut } from '../../ui/files/MiddleCut.tsx';
import { withFieldLabels } from '../../ui/text/fieldLabels.ts';
import { runtimeWords } from '../../ui/text/loopLabels.ts';
import styles from './run.module.css';
import { t } from '../../language/text.ts';

const SEARCH_FROM = 8;

interface EndpointPickerProps {
  endpoints: readonly EndpointSummary[];
  chosen: EndpointSummary;
  onChoose: (endpointId: string) => void;
}

export function EndpointPicker({ endpoints, chosen, onChoose }: EndpointPickerProps) {
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownClose: (by) => {
      combobox.resetSelectedOption();
      setSearch('');
      if (by === 'keyboard') combobox.focusTarget();
    },
    onDropdownOpen: () => {
      combobox.selectActiveOption();
      combobox.focusSearchInput();
    },
  });
  const wanted = search.trim().toLowerCase();
  const selectFirst = useEffectEvent(() => combobox.selectFirstOption());
  useEffect(() => {
    // Enter takes the first that is found.
    if (wanted !== '') selectFirst();
  }, [wanted]);
  const shown = endpoints.filter((endpoint) => endpoint.name.toLowerCase().includes(wanted));
  return (
    <Combobox
      store={combobox}
      width={400}
      position="bottom-start"
      onOptionSubmit={(endpointId) => {
        onChoose(endpointId);
        combobox.closeDropdown('keyboard');
      }}
    >
      <Combobox.Target targetType="button">
        <UnstyledButton
          className={styles.picker}
          aria-label={t`Endpoint: ${chosen.name}`}
          onClick={() => combobox.toggleDropdown()}
        >
          {!chosen.available && <TriangleAlert size={13} aria-hidden className={styles.pickerWarning} />}
          <span className={styles.pickerName}>
            <MiddleCut text={chosen.name} />
          </span>
          <ChevronDown size={13} aria-hidden className={styles.pickerArrow} />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown className={styles.pickerDropdown}>
        {endpoints.length >= SEARCH_FROM && (
          <Combobox.Search
            aria-label={t`Find an endpoint`}
            placeholder={t`Find an endpoint`}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <ScrollArea.Autosize
          mah={360}
          type="auto"
          offsetScrollbars="y"
          scrollbarSize={8}
          // Nothing in it takes the focus, so that the keys could not scroll it.
          viewportProps={{ tabIndex: 0 }}
        >
          <Combobox.Options aria-label={t`Endpoints`}>
            {shown.map((endpoint) => (
              <Combobox.Option key={endpoint.id} value={endpoint.id} active={endpoint.id === chosen.id}>
                <span className={styles.optionHead}>
                  <strong>{endpoint.name}</strong>
                  {endpoint.runtime !== null && <span>{runtimeWords[endpoint.runtime]}</span>}
                </span>
                {endpoint.description !== null && <span className={styles.optionText}>{endpoint.description}</span>}
                {!endpoint.available && (
                  <span className={styles.optionReason}>
                    <TriangleAlert size={12} aria-hidden />{' '}
                    {endpoint.reason === null
                      ? t`Cannot run here: the reason is unknown.`
                      : t`Cannot run here: ${withFieldLabels(endpoint.reason)}`}
                  </span>
                )}
              </Combobox.Option>
            ))}
            {shown.length === 0 && <Combobox.Empty>{t`No endpoint name contains this`}</Combobox.Empty>}
          </Combobox.Options>
        </ScrollArea.Autosize>
      </Combobox.Dropdown>
    </Combobox>
  );
}
