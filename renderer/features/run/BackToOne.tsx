/** The way back from a batch or a comparison to one input on one endpoint. */
import { Button } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import { t } from '../../language/text.ts';

export const BACK_WORDS = t`Run one input`;

export const BackToOne = ({ onBack }: { onBack: () => void }) => (
  <Button size="xs" variant="subtle" leftSection={<ArrowLeft size={13} aria-hidden />} onClick={onBack}>
    {BACK_WORDS}
  </Button>
);
