/** The field for the image of a new Pod. It suggests the images that are on the machine already. */
import { Autocomplete } from '@mantine/core';
import type { LocalImage } from '#contract/local/image.ts';
import { formatMemory } from '../../../ui/text/format.ts';
import own from '../pods.module.css';
import { t } from '../../../language/text.ts';

interface ImageFieldProps {
  value: string;
  problem: string | undefined;
  images: readonly LocalImage[];
  onChange: (imageName: string) => void;
  /** Takes a command that is pasted or dropped; false if the text is none. */
  takeCommand: (text: string) => boolean;
}

const MOST_SUGGESTIONS = 30;

/** An engine takes a name without a tag as the tag `latest`, and a name without a registry as one of Docker Hub. */
const fullName = (name: string): string => {
  const tagged = /[:@][^/]*$/.test(name) ? name : `${name}:latest`;
  return tagged.replace(/^docker\.io\/(?:library\/)?/, '');
};

export function ImageField({ value, problem, images, onChange, takeCommand }: ImageFieldProps) {
  const local = images.find(({ name }) => fullName(name) === fullName(value.trim()));
  return (
    <Autocomplete
      label={t`Image`}
      withAsterisk
      placeholder={t`ubuntu:24.04`}
      description={
        local
          ? t`On the machine already, ${formatMemory(local.sizeBytes)}: it is not pulled`
          : t`Or paste a docker run command`
      }
      data={[...new Set(images.map(({ name }) => name))]}
      limit={MOST_SUGGESTIONS}
      value={value}
      error={problem}
      spellCheck={false}
      renderOption={({ option }) => <Suggestion image={images.find(({ name }) => name === option.value)} />}
      onPaste={(event) => {
        // The field itself would lose the ends of the lines.
        if (takeCommand(event.clipboardData.getData('text/plain'))) event.preventDefault();
      }}
      onChange={(next) => {
        // A whole command at once was dropped; one that is being typed is not complete.
        if (value === '' && takeCommand(next)) return;
        onChange(next);
      }}
    />
  );
}

function Suggestion({ image }: { image: LocalImage | undefined }) {
  return (
    image && (
      <span className={own.suggestion}>
        <span>{image.name}</span>
        <em>{formatMemory(image.sizeBytes)}</em>
      </span>
    )
  );
}
