/** A button that copies one picture to the clipboard. */
import { useState } from 'react';
import { notifications } from '@mantine/notifications';
import { announce } from '../../primitives/announce.tsx';
import type { MediaBytes } from '../useMediaBytes.ts';
import { copyImage, whyNoImageCopy } from '../../clipboard/copyImage.ts';
import { ReasonButton } from '../../popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

/** A picture that is shown, with its size in pixels. */
export interface ShownImage extends MediaBytes {
  /** Its place among the pictures of the output, from 1. */
  number: number;
  width: number;
  height: number;
}

interface CopyImageProps {
  image: ShownImage;
  /** As the buttons beside it. */
  variant?: 'subtle' | 'default';
}

export function CopyImage({ image, variant = 'subtle' }: CopyImageProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyImage(image);
    setCopied(done);
    if (done) announce(t`Copied image`);
    else
      notifications.show({
        title: t`Not copied`,
        message: t`The browser does not let this page copy the image. Save it instead.`,
        'data-tone': 'bad',
      });
  };
  return (
    <ReasonButton size="xs" variant={variant} whyNot={whyNoImageCopy()} onClick={() => void copy()}>
      {copied ? t`Copied` : t`Copy`}
    </ReasonButton>
  );
}
