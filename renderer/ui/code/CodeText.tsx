/** The text of a `pre` with code. It is plain until its colours have loaded. */
import { Suspense } from 'react';
import { lazyPart } from '../primitives/lazyPart.ts';
import type { CodeLanguage } from './codeTokens.ts';

const ColouredCode = lazyPart(() => import('./ColouredCode.tsx'));

interface CodeTextProps {
  language: CodeLanguage;
  text: string;
}

export function CodeText({ language, text }: CodeTextProps) {
  return (
    <Suspense fallback={text}>
      <ColouredCode language={language} text={text} />
    </Suspense>
  );
}
