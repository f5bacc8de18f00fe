/** A button that copies one picture to the clipboard. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { announce } from '../../primitives/announce.tsx';
import type { MediaBytes } from '../useMediaBytes.ts';
import { copyImage } from '../../clipboard/copyImage.ts';
import { t } from '../../../language/text.ts';

/** A picture that is shown, with its size in pixels. */
export interface ShownImage extends MediaBytes {
  /** Its place among the pictures of the output, from 1. */
  number: number;
  width: number;
  height: number;
}

export function CopyImage({ image }: { image: ShownImage }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyImage(image);
    setCopied(done);
    announce(done ? t`Copied image` : t`The image could not be copied`);
  };
  return (
    <Button size="xs" variant="subtle" onClick={() => void copy()}>
      {copied ? t`Copied` : t`Copy`}
    </Button>
  );
}
