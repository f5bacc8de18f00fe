/**
 * Disables the generated code of zod, which the content policy of the page refuses. The page imports this file first.
 */
import { config } from 'zod';

config({ jitless: true });
