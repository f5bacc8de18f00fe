/** A field for the name of an image. It suggests the images that are on the machine of the account already. */
import { useState } from 'react';
import { Autocomplete } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isUntagged, type LocalImage } from '#contract/local/image.ts';
import { useAccounts } from '../../client/accounts.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { formatMemory } from '../text/format.ts';
import styles from './imageField.module.css';
import { t } from '../../language/text.ts';
import { requiredField } from '../theme/requiredField.ts';

interface ImageFieldProps {
  accountId: string;
  value: string;
  problem: string | undefined;
  /** `local`: the image of this name that is on the machine already. */
  onChange: (imageName: string, local: LocalImage | undefined) => void;
  label?: string;
  placeholder?: string;
  /** Shown until the field has the name of an image of the machine. */
  description?: string;
  autoFocus?: boolean;
  /** Takes a command that is pasted or dropped. Returns false if the text is not a command. */
  takeCommand?: (text: string) => boolean;
}

const MOST_SUGGESTIONS = 30;
const tagged = (images: readonly LocalImage[]) => images.filter((image) => !isUntagged(image));
const NO_IMAGES: readonly LocalImage[] = [];

/** An engine takes a name without a tag as the tag `latest`, and a name without a registry as one of Docker Hub. */
const fullName = (name: string): string => {
  const tagged = /[:@][^/]*$/.test(name) ? name : `${name}:latest`;
  return tagged.replace(/^docker\.io\/(?:library\/)?/, '');
};

/** The images on the machine of an account; none until they are known, and where no engine of Hangar runs. */
function useLocalImages(accountId: string): readonly LocalImage[] {
  const account = useAccounts()?.find(({ id }) => id === accountId);
  const enabled = account?.capabilities.includes('local') === true;
  const asking = { input: { accountId }, enabled, retry: false, staleTime: 0 };
  return useQuery({ ...orpc.machine.images.queryOptions(asking), select: tagged }).data ?? NO_IMAGES;
}

export function ImageField({ accountId, value, problem, onChange, autoFocus, takeCommand, ...words }: ImageFieldProps) {
  const { label = t`Image`, placeholder = t`ubuntu:24.04`, description } = words;
  const images = useLocalImages(accountId);
  const [isOpen, setIsOpen] = useState(false);
  /** Returns true if it was a command: the form has it, and the suggestions would only cover the form. */
  const take = (text: string): boolean => {
    if (takeCommand?.(text) !== true) return false;
    setIsOpen(false);
    return true;
  };
  const localOf = (imageName: string) => images.find(({ name }) => fullName(name) === fullName(imageName.trim()));
  const local = localOf(value);
  return (
    <Autocomplete
      label={label}
      {...requiredField}
      data-autofocus={autoFocus}
      placeholder={placeholder}
      description={
        local ? t`Already on the machine, ${formatMemory(local.sizeBytes)}: no pull needed` : (description ?? null)
      }
      data={[...new Set(images.map(({ name }) => name))]}
      limit={MOST_SUGGESTIONS}
      value={value}
      error={problem}
      spellCheck={false}
      renderOption={({ option }) => <Suggestion image={images.find(({ name }) => name === option.value)} />}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      // The field itself would lose the ends of the lines.
      onPaste={(event) => {
        if (take(event.clipboardData.getData('text/plain'))) event.preventDefault();
      }}
      onDrop={(event) => {
        if (take(event.dataTransfer.getData('text/plain'))) event.preventDefault();
      }}
      onChange={(imageName) => onChange(imageName, localOf(imageName))}
    />
  );
}

function Suggestion({ image }: { image: LocalImage | undefined }) {
  return (
    image && (
      <span className={styles.suggestion}>
        <span>{image.name}</span>
        <em>{formatMemory(image.sizeBytes)}</em>
      </span>
    )
  );
}
