/** Starts the page. */
import '#contract/core/zodNoEval.ts';
import './ui/theme/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { language } from './language/translation.ts';
import { startAppearance } from './state/appearance.ts';
import { refuseStrayDrops } from './ui/files/strayDrops.ts';
import { keepFocusInView } from './ui/keyboard/focusInView.ts';
import { followLastInput } from './ui/keyboard/lastInput.ts';

startAppearance();
followLastInput();
keepFocusInView();
refuseStrayDrops();
// Screen readers choose their voice by it.
document.documentElement.lang = language;

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
