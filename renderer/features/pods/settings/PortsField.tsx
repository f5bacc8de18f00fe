/** The field for the ports of a Pod. It says what is wrong while a port is being typed. */
import { useState } from 'react';
import { TagsInput } from '@mantine/core';
import styles from '../../../ui/form/form.module.css';
import { completePort, portProblem } from './ports.ts';
import { t } from '../../../language/text.ts';

interface PortsFieldProps {
  ports: string[];
  problem: string | undefined;
  onChange: (ports: string[]) => void;
}

export function PortsField({ ports, problem, onChange }: PortsFieldProps) {
  const [typed, setTyped] = useState('');
  return (
    <TagsInput
      label={t`Ports`}
      description={t`8888/http gets its own address; 22/tcp gets a free port of the machine at each start`}
      classNames={{ input: styles.pills ?? '' }}
      placeholder={ports.length === 0 ? t`8888/http` : ''}
      splitChars={[',', ' ']}
      value={ports}
      searchValue={typed}
      onSearchChange={setTyped}
      error={portProblem(typed, ports, true) ?? problem}
      onChange={(next) => onChange(next.map(completePort))}
    />
  );
}
