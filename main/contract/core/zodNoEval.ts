/** Makes the schemas do without generated code, which the page's content policy refuses. The page imports it before anything else. */
import { config } from 'zod';

config({ jitless: true });
